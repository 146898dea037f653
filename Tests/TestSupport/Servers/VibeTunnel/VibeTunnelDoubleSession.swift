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
    let startedAt: Date

    // Protected by `condition`.
    private let condition = NSCondition()
    private var currentName: String
    private var recorded: [Entry] = []
    private var currentInput = ""
    private var status = "running"
    private var code: Int?
    private var lastOutput: Date
    private let program: RunningProgram?
    /// The number of streams so far.
    private var streams = 0

    /// A session without a program.
    init(name: String, command: [String], startedAt: Date) {
        (id, currentName, self.command, directory, program) = (
            UUID().uuidString.lowercased(), name, command, "/tmp", nil
        )
        (self.startedAt, lastOutput) = (startedAt, startedAt)
    }

    /// Starts a program; throws if there is none.
    init(name: String, command: [String], directory: String) throws {
        id = UUID().uuidString.lowercased()
        (currentName, self.command, self.directory) = (name, command, directory)
        startedAt = Date()
        lastOutput = startedAt
        // A terminal joins the two streams.
        let words = ["-c", "exec \"$@\" 2>&1", "sh"] + command
        var call = ProgramCall("/bin/sh", words, environment: ["PATH": "/usr/bin:/bin"])
        call.directory = directory
        let program = try call.start()
        self.program = program
        Task {
            await self.record(program.output)
            switch try await program.wait(deadline: .seconds(3600)) {
            case .exited(let status): self.end(Int(status))
            case .signalled(let signal): self.end(128 + Int(signal))
            }
        }
    }

    private func record(_ output: PipeEnd) async {
        var rest: [UInt8] = []
        while true {
            let bytes = await output.read(atLeast: 1)
            guard !bytes.isEmpty else { return }
            rest += bytes
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
        change {
            recorded.append(.output(text))
            lastOutput = Date()
        }
    }

    /// Replaces all entries with output, as if the others had been lost.
    package func replaceHistory(_ texts: String...) {
        change { recorded = texts.map { .output($0) } }
    }

    func resize(_ columns: Int, _ rows: Int) {
        change { recorded.append(.resize("\(columns)x\(rows)")) }
        if let program, program.isRunning { program.signal(SIGWINCH) }
    }

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
        try? program?.input.write(text.replacingOccurrences(of: "\r", with: "\n"))
    }

    func signal(_ number: Int32) {
        guard let program, program.isRunning else { return number == 0 ? () : end(128 + Int(number)) }
        program.signal(number)
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

    /// The time of the last output, or of the start.
    var changedAt: Date { condition.withLock { lastOutput } }

    /// What has been typed.
    package var input: String { condition.withLock { currentInput } }

    package var hasEnded: Bool { condition.withLock { status != "running" } }

    /// The number of streams that clients have opened.
    package var streamCount: Int { condition.withLock { streams } }

    var processID: Int { program.map { Int($0.pid) } ?? 4711 }

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
