import Core
import Foundation
import SessionHost
import Synchronization
import System
import TestSupport
import Testing

/// Sessions whose files are damaged or cannot be trusted.
struct UnreadableSessionTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    /// A session that has ended and whose holder, which answers requests for a moment longer, has exited.
    private func ended(_ line: String) async throws -> Session {
        let record = try await lab.end(of: try await lab.create("x", line))
        #expect(await lab.isReleased(record.id))
        return record
    }

    private func damage(_ record: Session, _ text: String) throws {
        try lab.scratch.write(text, to: "sessions/\(record.id.text)/session.json")
    }

    @Test(arguments: ["", "{\"schema\":1,\"id\":\"01", "[]", "foreign"])
    func `an unreadable record is listed as such, and its session can be removed`(text: String) async throws {
        let record = try await ended("echo kept")
        var foreign = record
        foreign.id = try #require(SessionID("0123456789ab"))
        try damage(record, text == "foreign" ? String(decoding: foreign.json, as: UTF8.self) : text)
        let listed = try #require(try lab.host.sessions(SilentDiagnostics()).first)
        #expect(listed.state == .unreadable)
        #expect(listed.id == record.id)
        #expect(listed.name == "x")
        #expect(listed.failure?.isEmpty == false)
        #expect(listed.outputBytes == 6)
        #expect(try lab.host.session("x") == listed)
        #expect(try lab.text(of: listed) == "kept\r\n")
        let name = try SessionName("y")
        let error = await #expect(throws: VTError.self) { try await lab.host.rename(record.id, to: name) }
        #expect(error?.code == .config)
        #expect(try await lab.host.remove(record.id))
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
        _ = try await lab.end(of: try await lab.create("x", "true"))
    }

    @Test func `a briefly held lock does not make an unreadable session appear running`() async throws {
        let record = try await ended("true")
        try damage(record, "")
        let lock = open(lab.files(record).lock, O_RDWR | O_CLOEXEC)
        try #require(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        let path = lab.files(record).lock
        Thread.detachNewThread {
            while !Self.isAwaited(path, besides: lock) { usleep(1000) }
            close(lock)
        }
        #expect(try await lab.host.remove(record.id))
    }

    /// Whether this process has opened the lock for writing once more, as it does to acquire it (proc(5), fdinfo).
    private static func isAwaited(_ path: String, besides own: Int32) -> Bool {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.contains { number in
            guard number != String(own),
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == path,
                let text = try? String(contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8),
                let flags = text.split(separator: "\n").first(where: { $0.hasPrefix("flags:") })
            else { return false }
            return flags.hasSuffix("2")
        }
    }

    @Test func `a session with a directory in place of its record is listed and can be removed`() async throws {
        let record = try await ended("true")
        let path = lab.files(record).record
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: "\(path)/below", withIntermediateDirectories: true)
        let listed = try #require(try lab.host.sessions(SilentDiagnostics()).first)
        #expect(listed.state == .unreadable)
        #expect(listed.name == "x")
        #expect(try await lab.host.remove(record.id))
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: lab.files(record).directory))
    }

    @Test(arguments: ["notes.txt", "0123456789ab"])
    func `ignores anything but directories`(name: String) async throws {
        let record = try await lab.end(of: try await lab.create("x", "true"))
        for isLink in [false, true] {
            let path = try lab.scratch.write("text", to: "sessions/\(name)")
            if isLink {
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: record.id.text)
            }
            let notes = NoteRecorder()
            #expect(try lab.host.sessions(notes).map(\.id) == [record.id])
            #expect(notes.all == [])
            let error = #expect(throws: VTError.self) { try lab.host.session(name) }
            #expect(error?.code == .notFound)
            #expect(try lab.host.names() == ["x"])
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test func `a running session with an unreadable record cannot be removed`() async throws {
        let record = try await lab.create("x", "read line")
        try damage(record, "")
        let listed = try lab.host.session("x")
        #expect(listed.state == .running)
        #expect(listed.failure != nil)
        let error = await #expect(throws: VTError.self) { try await lab.host.remove(record.id) }
        #expect(error?.code == .busy)
        // The holder still has the full record and writes it.
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.input(sequence: 1, isChecked: true, bytes: [0x0a]))
        let ended = try await lab.end(of: record)
        #expect(ended.exit == .exited(0))
        #expect(ended.command == record.command)
    }

    @Test func `a record of a later version is neither listed nor removed`() async throws {
        let record = try await lab.end(of: try await lab.create("x", "true"))
        let json = String(decoding: record.json, as: UTF8.self)
        try damage(record, json.replacingOccurrences(of: "\"schema\":1", with: "\"schema\":9"))
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
        let error = await #expect(throws: VTError.self) { try await lab.host.remove(record.id) }
        #expect(error?.code == .config)
    }

    @Test func `a session that is being created is neither listed nor removed`() async throws {
        let vt = lab.creation(["x", "--", "true"], fault: Fault.createDirectory.rawValue)
        #expect(try await vt.run().status == .exited(99))
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
        #expect(try names() == ["new"])
        // The remains of a crash are removed once they are too old to belong to an ongoing creation.
        let left = try #require(
            try FileManager.default.contentsOfDirectory(atPath: lab.directory.path).first { $0.hasSuffix(".new") }
        )
        var times = [timespec(tv_sec: time(nil) - 3600, tv_nsec: 0), timespec(tv_sec: time(nil) - 3600, tv_nsec: 0)]
        utimensat(AT_FDCWD, "\(lab.directory.path)/\(left)", &times, 0)
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
        #expect(try names() == [])
    }

    /// The suffixes of the names of session directories.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: lab.directory.path)
            .filter { !$0.hasPrefix("names") }.map { ($0 as NSString).pathExtension }
    }

    @Test func `sessions can be created during a cleanup`() async throws {
        let line = """
            while [ ! -e "$VT_HOME/done" ]; do vt sessions cleanup --all >/dev/null || echo cleanup; done &
            for i in $(seq 25); do vt sessions create "s$i" -- true >/dev/null || echo "create $i"; done
            touch "$VT_HOME/done"; wait
            """
        let vt = try Vt()
        let result = try await vt.bash(line)
        #expect(result.text == "")
        #expect(result.errorText == "")
    }

    // MARK: - Other users

    /// A UID that is unprivileged on every system.
    private static let other: uid_t = 65_534

    @Test(.asRoot, arguments: ["", "/session.json"])
    func `neither lists nor removes the session of another user`(name: String) async throws {
        let record = try await lab.end(of: try await lab.create("x", "true"))
        chown(lab.files(record).directory + name, Self.other, gid_t.max)
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
        let error = #expect(throws: VTError.self) { try lab.host.session("x") }
        #expect(error?.code == .config)
        await #expect(throws: VTError.self) { try await lab.host.remove(record.id) }
        chown(lab.files(record).directory + name, geteuid(), gid_t.max)
    }

    @Test func `rejects sessions that others can write to`() async throws {
        let record = try await lab.end(of: try await lab.create("x", "true"))
        for path in [lab.directory.path, lab.scratch.path] {
            chmod(path, 0o777)
            let host = FileSessionStore(
                directory: SessionDirectory(path: lab.directory.path),
                program: TestTree.vt,
                version: "0.0.0-test",
                poller: try HolderLab.poller.get(),
                clock: ContinuousClock()
            )
            let error = #expect(throws: VTError.self) { try host.sessions(SilentDiagnostics()) }
            #expect(error?.code == .config)
            #expect(throws: VTError.self) { try host.session(record.id.text) }
            await #expect(throws: VTError.self) { try await host.create(try lab.request("y", "true")) }
            chmod(path, 0o700)
        }
    }
}

/// Diagnostics that record notes and ignore details.
private final class NoteRecorder: Diagnostics {
    private let notes = Mutex<[String]>([])

    var all: [String] { notes.withLock { $0 } }

    func note(_ message: String) { notes.withLock { $0.append(message) } }

    func detail(_ message: @autoclosure () -> String) {}
}
