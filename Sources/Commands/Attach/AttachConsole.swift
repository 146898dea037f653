import Arguments
import Core
import Runtime
import Services
import Synchronization
import System

/// The terminal or files that vt's standard streams are connected to.
final class AttachConsole: AttachTerminal {
    /// The output to write when the command ends.
    private struct Ending {
        var reset: [UInt8] = []
        /// Written to standard output after everything else, if it is a terminal.
        var end: String
        /// Messages to print after the screen is restored.
        var notes: [String] = []
    }

    let resizes: AsyncStream<Void>
    let suspensions: AsyncStream<Void>
    let input: (any ByteSource)?
    let hasKeyboard: Bool
    private let console: Console
    private let queue: any OutputQueue
    private let isQuiet: Bool
    private let clock: any Clock<Duration>
    private let ending: Mutex<Ending>

    /// The maximum time to wait for a terminal that has stopped accepting output.
    private static let lastOutputTimeout = Duration.seconds(2)

    /// Switches the terminal to raw mode if `hasInput` is true; `restore` must always be called.
    ///
    /// `end` is written to standard output after everything else, if it is a terminal.
    init(_ context: Context, hasInput: Bool = true, end: String = "") {
        console = context.console
        resizes = context.interruption.resizes
        suspensions = context.interruption.suspensions
        isQuiet = context.global.quiet
        clock = context.world.clock
        queue = console.output.makeQueue(mayBeClosed: false)
        ending = Mutex(Ending(end: end))
        input = hasInput ? console.input.source() : nil
        hasKeyboard = console.terminal.begin(raw: hasInput, hasScreen: console.output.isTerminal)
    }

    var output: any ByteSink { queue }
    var hasScreen: Bool { console.output.isTerminal }
    /// False for a dumb or unknown terminal, and for TERM=linux, whose replies to color queries depend on the kernel.
    var answersQueries: Bool {
        hasKeyboard && hasScreen && !["", "dumb", "linux"].contains(console.environment["TERM"] ?? "")
    }
    var size: TerminalSize? { console.output.terminalSize }

    func note(_ message: String) {
        guard !isQuiet else { return }
        guard !hasScreen else { return ending.withLock { $0.notes.append(message) } }
        show(message)
    }

    private func show(_ message: String) {
        // In raw mode, a line feed does not return to the first column. A failure to print a message is not an error.
        try? console.errorOutput.write(Array("vt: \(message.sanitized)\(hasKeyboard ? "\r\n" : "\n")".utf8))
    }

    func prepare(reset: [UInt8]) {
        console.terminal.prepare(reset)
    }

    func suspend(writing reset: [UInt8]) async {
        let end = hasScreen ? reset + Array("\r\n".utf8) : []
        let queue = queue
        // A terminal that has stopped accepting output is left as it is.
        try? await whileAccepted(throwing: .cancelled) { () async throws(VTError) in
            try await queue.write(end)
            try await queue.drain()
        }
        console.terminal.prepare([])
        console.terminal.suspend()
    }

    func leave(writing reset: [UInt8]) {
        ending.withLock { $0.reset = reset }
    }

    /// Discards the text to write at the end, so that the cursor stays after the last output.
    func leaveCursor() {
        ending.withLock { $0.end = "" }
    }

    /// Writes remaining output and restores the terminal.
    func restore() async throws(VTError) {
        let ending = ending.withLock { $0 }
        let last = ending.reset + (hasScreen ? Array(ending.end.utf8) : [])
        let queue = queue
        let late = VTError(.io, "cannot write the remaining output: standard output is not being read")
        defer {
            for note in self.ending.withLock({ $0.notes }) { show(note) }
            console.terminal.end()
        }
        try await whileAccepted(throwing: late) { () async throws(VTError) in
            try await queue.write(last)
            try await queue.finish()
        }
    }

    /// Writes the last output, for as long as the terminal accepts it; anything else may take any time.
    private func whileAccepted(
        throwing late: VTError,
        _ write: @escaping @Sendable () async throws(VTError) -> Void
    ) async throws(VTError) {
        guard hasScreen else { return try await write() }
        let queue = queue
        let accepted = Mutex(queue.writtenBytes)
        let isAccepting = { @Sendable in
            let now = queue.writtenBytes
            return accepted.withLock { before in
                defer { before = now }
                return now > before
            }
        }
        let limit = Duration.seconds(86_400)
        try await withTimeout(Self.lastOutputTimeout, on: clock, throwing: late, upTo: limit, while: isAccepting, write)
    }
}
