import Core
import POSIX

/// The terminal of a program on another machine, which replaces that of standard input while it runs.
extension Context {
    /// Runs `body`; if `isRaw`, with the terminal of standard input, if it is one, in raw mode.
    ///
    /// The runner restores the terminal.
    func withRawTerminal<Result: Sendable>(
        if isRaw: Bool,
        _ body: () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let terminal = console.terminal
        guard isRaw, terminal.begin(raw: true, hasScreen: false) else { return try await body() }
        let suspensions = interruption.suspensions
        let suspending = Task { for await _ in suspensions { terminal.suspend() } }
        defer { suspending.cancel() }
        return try await body()
    }

    /// The new size of the terminal, each time it changes.
    var terminalSizes: AsyncStream<TerminalSize> {
        let (resizes, input) = (interruption.resizes, console.input)
        return AsyncStream {
            for await _ in resizes {
                if let size = input.terminalSize { return size }
            }
            return nil
        }
    }
}

extension ExecRequest.Terminal {
    /// A terminal of this type and size or, if they are nil, of those of standard input.
    init(type: String? = nil, size: TerminalSize? = nil, on console: Console) {
        let own = console.input.isTerminal ? console.environment["TERM"] : nil
        self.init(
            type: type ?? own ?? "xterm-256color",
            size: size ?? console.input.terminalSize ?? .standard
        )
    }
}
