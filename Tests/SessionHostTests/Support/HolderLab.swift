import Core
import Foundation
import Runtime
import SessionHost
import System
import TestSupport

/// A test's own directory of sessions, managed by the `vt` built with the tests; all sessions are killed at the end.
final class HolderLab: Sendable {
    let scratch: ScratchDirectory
    let directory: SessionDirectory
    let host: FileSessionStore
    /// Shared by all tests, because its thread never ends.
    static let poller = Result { () throws(VTError) in try DescriptorPoller() }

    /// `depth` is the number of long directory names to add to the path.
    init(depth: Int = 0) throws {
        // If a holder disconnects, its test must fail rather than end the whole test run.
        signal(SIGPIPE, SIG_IGN)
        scratch = try ScratchDirectory()
        let path = scratch.path(String(repeating: "a-long-directory-name/", count: depth) + "sessions")
        directory = SessionDirectory(path: path)
        host = FileSessionStore(
            directory: directory,
            program: TestTree.vt,
            version: "0.0.0-test",
            poller: try Self.poller.get(),
            clock: ContinuousClock()
        )
    }

    deinit {
        // If the sessions cannot be listed, the test has started none.
        for record in (try? host.sessions(SilentDiagnostics())) ?? [] where record.state != .exited {
            let processes = [record.program, record.holder].compactMap(\.self)
            for process in processes { ProcessTable.killAll(group: process.processID) }
        }
    }

    /// A request for a session that runs this command.
    func request(_ name: String, _ words: String...) throws -> SessionRequest {
        SessionRequest(
            SessionCreation(name: try SessionName(name), command: words.map { ByteString($0) }),
            in: scratch.path,
            environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent"]
        )
    }

    /// Creates a session that runs a line of sh.
    func create(_ name: String, _ line: String) async throws -> Session {
        try await host.create(try request(name, "/bin/sh", "-c", line))
    }

    /// A call of `vt sessions create` with these words, in which a fault occurs.
    func creation(_ words: [String], fault: String) -> ProgramCall {
        ProgramCall(
            TestTree.builtVt,
            ["sessions", "create"] + words,
            environment: [
                "VT_HOME": scratch.path, "HOME": "/nonexistent", "PATH": "/usr/bin:/bin", "VT_FAULT": fault,
            ]
        )
    }

    func files(_ record: Session) -> SessionFiles {
        directory.files(of: record.id)
    }

    /// Waits until a session has a final state, and returns its record.
    func end(of record: Session, within limit: Duration = .patience) async throws -> Session {
        var last = record
        let hasEnded = try await eventually(within: limit) {
            last = try host.session(record.id.text)
            return !last.state.isLive
        }
        guard hasEnded else { throw FixtureError("session '\(record.name)' is still \(last.state.rawValue)") }
        return last
    }

    /// Waits until the lock is released, which happens after the command line of an exiting holder has disappeared.
    func isReleased(_ id: SessionID) async -> Bool {
        let path = directory.files(of: id).lock
        return await eventually {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return true }
            defer { close(descriptor) }
            return flock(descriptor, LOCK_SH | LOCK_NB) == 0
        }
    }

    /// All output in the log.
    func output(of record: Session) throws -> [UInt8] {
        let log = try host.log(of: record.id)
        var bytes: [UInt8] = []
        var offset = try log.firstOffset()
        while true {
            let more = try log.read(from: offset, limit: 1 << 20)
            if more.isEmpty { return bytes }
            bytes += more
            offset += UInt64(more.count)
        }
    }

    func text(of record: Session) throws -> String {
        String(decoding: try output(of: record), as: UTF8.self)
    }

    /// Waits until the output contains a text.
    func output(of record: Session, holds text: String) async throws -> Bool {
        try await eventually { try self.text(of: record).contains(text) }
    }
}

extension HolderLab {
    /// The PIDs of processes with the session's ID in their environment.
    func processes(markedBy record: Session) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { name in
            guard Int(name) != nil, let environment = FileManager.default.contents(atPath: "/proc/\(name)/environ")
            else { return false }
            return environment.split(separator: 0).contains { $0.elementsEqual("VT_SESSION=\(record.id.text)".utf8) }
        }
    }
}

/// Ignores all messages.
struct SilentDiagnostics: Diagnostics {
    func note(_ message: String) {}
    func detail(_ message: @autoclosure () -> String) {}
}
