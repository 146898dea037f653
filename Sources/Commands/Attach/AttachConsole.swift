import Core
import POSIX
import Services
import Synchronization

/// The terminal, or the files, that vt was started with.
final class AttachConsole: AttachTerminal {
    let resizes: AsyncStream<Void>
    let suspensions: AsyncStream<Void>
    private let standardInput: ThreadedInput?
    private let standardOutput = ThreadedOutput(StandardStream.output.rawValue, name: StandardStream.output.name)
    private let isQuiet: Bool
    private let clock: any Clock<Duration>
    private let rawTerminal: RawTerminal?
    private let lastBytes = Mutex<[UInt8]>([])
    /// What is told once the screen is the user's again.
    private let lateNotes = Mutex<[String]>([])

    /// A terminal that takes nothing any more is not waited for longer.
    private static let lastOutputDelay = Duration.seconds(1)

    /// Sets the terminal raw, unless standard input is not of interest; `restore` is to be called, whatever happens.
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
    /// What a terminal called `linux` does with a query for a color depends on its kernel.
    var answersQueries: Bool {
        hasKeyboard && hasScreen && !["", "dumb", "linux"].contains(Environment.process["TERM"] ?? "")
    }
    var size: TerminalSize? { StandardStream.output.terminalSize }

    /// Whether nobody reads the output any more.
    var hasLostReader: Bool { standardOutput.hasLostReader }

    func note(_ message: String) {
        guard !isQuiet else { return }
        guard !hasScreen else { return lateNotes.withLock { $0.append(message) } }
        show(message)
    }

    private func show(_ message: String) {
        // A raw terminal does not go to the start of a line by itself. A note that cannot be shown is no failure.
        try? StandardStream.errorOutput.write(Array("vt: \(message.sanitized)\(hasKeyboard ? "\r\n" : "\n")".utf8))
    }

    func prepare(reset: [UInt8]) {
        TerminalGuard.prepare(reset)
    }

    func suspend(writing reset: [UInt8]) async {
        let end = hasScreen ? reset + Array("\r\n".utf8) : []
        let output = standardOutput
        // A terminal that takes nothing is given back as it is.
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

    /// Writes what is left and gives the terminal back as it was; `end` goes to a screen last.
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
