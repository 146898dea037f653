import Core
import Runtime
import System

extension Console {
    /// The console of a command that another command runs: input from memory, collected output, no terminal and no
    /// signals.
    static func memory(
        input: [UInt8],
        output: CollectedOutput,
        errorOutput: CollectedOutput,
        environment: Environment
    ) -> Console {
        Console(
            input: MemoryInput(bytes: input),
            output: output,
            errorOutput: errorOutput,
            terminal: NoTerminal(),
            signals: NoSignals(),
            environment: environment
        )
    }
}

private struct MemoryInput: StandardInput {
    let bytes: [UInt8]

    var name: String { "standard input" }
    var isTerminal: Bool { false }
    var terminalSize: TerminalSize? { nil }

    func checkIsReadable() throws(VTError) {}

    func source() -> any ByteSource { BytesSource(bytes) }
}

private struct NoTerminal: RunTerminal {
    func begin(raw: Bool, hasScreen: Bool) -> Bool { false }

    func prepare(_ reset: [UInt8]) {}

    func suspend() {}

    var canAsk: Bool { false }

    func ask(_ prompt: Prompt) async throws(VTError) -> [UInt8]? { nil }

    func end() {}
}

private struct NoSignals: SignalSource {
    func take(_ handling: SignalHandling) throws(VTError) -> Interruption { .none }
}
