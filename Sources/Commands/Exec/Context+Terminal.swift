import Core
import Runtime
import System

/// Use of the terminal on standard input as the terminal of a program on another machine.
extension Context {
    /// Runs `body`, with the terminal in raw mode if `isRaw` is true and standard input is a terminal.
    ///
    /// The runner restores the terminal.
    func withRawTerminal<Result: Sendable>(
        if isRaw: Bool,
        _ body: () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard isRaw, console.terminal.begin(raw: true, hasScreen: false) else { return try await body() }
        return try await withSuspensions(body)
    }

    /// Runs `body`, and stops the process when the user suspends it, with the terminal restored.
    func withSuspensions<Result: Sendable>(
        _ body: () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let terminal = console.terminal
        let suspensions = interruption.suspensions
        let suspending = Task.onCurrentExecutor { for await _ in suspensions { terminal.suspend() } }
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
    /// Creates a terminal with this type and size; a value that is nil is taken from the terminal on standard input.
    init(type: String? = nil, size: TerminalSize? = nil, on console: Console) {
        let own = console.input.isTerminal ? console.environment["TERM"] : nil
        self.init(
            type: type ?? own ?? "xterm-256color",
            size: size ?? console.input.terminalSize ?? .standard
        )
    }
}
