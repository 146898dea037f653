import Core
import POSIX
import Services
import Synchronization

/// The terminal or files on vt's standard streams.
final class AttachConsole: AttachTerminal {
    let resizes: AsyncStream<Void>
    let suspensions: AsyncStream<Void>
    private let standardInput: ThreadedInput?
    private let standardOutput = ThreadedOutput(StandardStream.output.rawValue, name: StandardStream.output.name)
    private let isQuiet: Bool
    private let clock: any Clock<Duration>
    private let rawTerminal: RawTerminal?
    private let lastBytes = Mutex<[UInt8]>([])
    /// Messages to print after the screen is restored.
    private let lateNotes = Mutex<[String]>([])

    /// The maximum wait for a terminal that accepts no more output.
    private static let lastOutputDelay = Duration.seconds(1)

    /// Switches the terminal to raw mode, unless standard input is not used; `restore` must always be called.
    init(_ interrupts: Interrupts, isQuiet: Bool, hasInput: Bool = true, on clock: any Clock<Duration>) {
        resizes = interrupts.resizes
        suspensions = interrupts.suspensions
        self.isQuiet = isQuiet
        self.clock = clock
        standardInput = hasInput ? ThreadedInput(StandardStream.input.rawValue) : nil
        rawTerminal = hasInput ? RawTerminal(StandardStream.input.rawValue) : nil
        if rawTerminal != nil || hasScreen {
            TerminalGuard.begin(raw: rawTerminal, output: StandardStream.output.rawValue)
        }
    }

    var input: (any ByteSource)? { standardInput }
    var output: any ByteSink { standardOutput }
    var hasKeyboard: Bool { rawTerminal != nil }
    var hasScreen: Bool { StandardStream.output.isTerminal }
    /// The reply of a terminal with TERM=linux to a color query depends on its kernel.
    var answersQueries: Bool {
        hasKeyboard && hasScreen && !["", "dumb", "linux"].contains(Environment.process["TERM"] ?? "")
    }
    var size: TerminalSize? { StandardStream.output.terminalSize }

    /// Whether the output has no reader anymore.
    var hasLostReader: Bool { standardOutput.hasLostReader }

    func note(_ message: String) {
        guard !isQuiet else { return }
        guard !hasScreen else { return lateNotes.withLock { $0.append(message) } }
        show(message)
    }

    private func show(_ message: String) {
        // In raw mode, a line feed does not return to the first column. Failing to print a message is not an error.
        try? StandardStream.errorOutput.write(Array("vt: \(message.sanitized)\(hasKeyboard ? "\r\n" : "\n")".utf8))
    }

    func prepare(reset: [UInt8]) {
        TerminalGuard.prepare(reset)
    }

    func suspend(writing reset: [UInt8]) async {
        let end = hasScreen ? reset + Array("\r\n".utf8) : []
        let output = standardOutput
        // A terminal that accepts no output is left as it is.
        try? await withTimeout(Self.lastOutputDelay, on: clock, throwing: .cancelled) { () async throws(VTError) in
            try await output.write(end)
            try await output.drain()
        }
        TerminalGuard.prepare([])
        rawTerminal?.restore()
        SignalThread.stop()
        rawTerminal?.resume()
    }

    func leave(writing reset: [UInt8]) {
        lastBytes.withLock { $0 = reset }
    }

    /// Writes remaining output and restores the terminal; `end` is written to a screen last.
    func restore(endingWith end: String) async throws(VTError) {
        let last = lastBytes.withLock { $0 } + (hasScreen ? Array(end.utf8) : [])
        let output = standardOutput
        let late = VTError(.io, "standard output does not accept any more output")
        defer {
            for note in lateNotes.withLock({ $0 }) { show(note) }
            rawTerminal?.restore()
            TerminalGuard.end()
        }
        try await withTimeout(hasScreen ? Self.lastOutputDelay : .seconds(86_400), on: clock, throwing: late) {
            () async throws(VTError) in
            try await output.write(last)
            try await output.finish()
        }
    }
}
