import Foundation
import Glibc

/// A session of a `VibeTunnelDouble`: a program with pipes, or one whose output a test determines.
package final class VibeTunnelDoubleSession: @unchecked Sendable {
    /// An entry of the recording.
    enum Entry {
        case output(String)
        case resize(String)
        case exit(Int)
    }

    package let id: String
    let command: [String]
    let directory: String
    let startedAt = Date()

    // Protected by `condition`.
    private let condition = NSCondition()
    private var currentName: String
    private var recorded: [Entry] = []
    private var currentInput = ""
    private var status = "running"
    private var code: Int?
    private let process: Process?
    private let inputPipe = Pipe()
    /// The number of streams so far.
    private var streams = 0

    /// A session without a program.
    init(name: String) {
        (id, currentName, command, directory, process) = (UUID().uuidString.lowercased(), name, ["fake"], "/tmp", nil)
    }

    /// Starts a program; throws if there is none.
    init(name: String, command: [String], directory: String) throws {
        id = UUID().uuidString.lowercased()
        (currentName, self.command, self.directory) = (name, command, directory)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        let output = Pipe()
        (process.standardInput, process.standardOutput, process.standardError) = (inputPipe, output, output)
        self.process = process
        try process.run()
        let descriptor = output.fileHandleForReading.fileDescriptor
        Thread {
            self.record(descriptor)
            withExtendedLifetime(output) {}
            process.waitUntilExit()
            self.end(
                process.terminationReason == .exit
                    ? Int(process.terminationStatus) : 128 + Int(process.terminationStatus)
            )
        }.start()
    }

    private func record(_ descriptor: Int32) {
        var rest: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return }
            rest += chunk.prefix(count)
            // A character is never split, as in upstream's recordings.
            var whole = rest.count
            while whole > 0, rest.count - whole < 4, String(validating: rest[..<whole], as: UTF8.self) == nil {
                whole -= 1
            }
            if rest.count - whole >= 4 { whole = rest.count }
            emit(String(decoding: rest[..<whole], as: UTF8.self).replacingOccurrences(of: "\n", with: "\r\n"))
            rest = Array(rest[whole...])
        }
    }

    // MARK: - Changes

    /// Adds an output event.
    package func emit(_ text: String) {
        guard !text.isEmpty else { return }
        change { recorded.append(.output(text)) }
    }

    func resize(_ columns: Int, _ rows: Int) { change { recorded.append(.resize("\(columns)x\(rows)")) } }

    func rename(_ name: String) { change { currentName = name } }

    /// Records the end of the program.
    package func end(_ code: Int) {
        change {
            guard status == "running" else { return }
            (status, self.code) = ("exited", code)
            recorded.append(.exit(code))
        }
    }

    func type(_ text: String) {
        change { currentInput += text }
        try? inputPipe.fileHandleForWriting.write(
            contentsOf: Data(text.replacingOccurrences(of: "\r", with: "\n").utf8)
        )
    }

    func signal(_ number: Int32) {
        guard let process, process.isRunning else { return number == 0 ? () : end(128 + Int(number)) }
        Glibc.kill(process.processIdentifier, number)
    }

    /// Sends TERM and then KILL; returns when the session has ended.
    func kill() {
        signal(SIGTERM)
        if !waitUntilEnded(within: 0.5) { signal(SIGKILL) }
        _ = waitUntilEnded(within: 10)
    }

    private func waitUntilEnded(within seconds: TimeInterval) -> Bool {
        condition.withLock {
            let end = Date(timeIntervalSinceNow: seconds)
            while status == "running" {
                guard condition.wait(until: end) else { return false }
            }
            return true
        }
    }

    private func change(_ body: () -> Void) {
        condition.withLock {
            body()
            condition.broadcast()
        }
    }

    // MARK: - State

    package var name: String { condition.withLock { currentName } }

    /// What has been typed.
    package var input: String { condition.withLock { currentInput } }

    package var hasEnded: Bool { condition.withLock { status != "running" } }

    /// The number of streams that clients have opened.
    package var streamCount: Int { condition.withLock { streams } }

    var processID: Int { process.map { Int($0.processIdentifier) } ?? 4711 }

    var state: (name: String, status: String, code: Int?) { condition.withLock { (currentName, status, code) } }

    /// Counts a stream; returns its number, starting at 1.
    func addStream() -> Int {
        condition.withLock {
            streams += 1
            return streams
        }
    }

    /// The entries so far.
    var entries: [Entry] { condition.withLock { recorded } }

    /// Waits for an entry; nil if `isOpen` is false, which is checked again at intervals.
    func entry(_ index: Int, while isOpen: () -> Bool) -> Entry? {
        condition.withLock {
            while index >= recorded.count {
                guard isOpen() else { return nil }
                _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
            }
            return recorded[index]
        }
    }
}
