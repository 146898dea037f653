import Core
import Runtime
import System

extension Console {
    /// The console of a command that another command runs: input from memory, collected output, no terminal and no
    /// signals.
    static func memory(input: [UInt8], output: CollectedOutput, environment: Environment) -> Console {
        let input = MemoryInput(bytes: input)
        return Console(
            input: input,
            output: output,
            errorOutput: CollectedOutput(),
            terminal: input,
            signals: input,
            environment: environment
        )
    }
}

/// Input from memory; no terminal and no signals.
private struct MemoryInput: StandardInput, RunTerminal, SignalSource {
    let bytes: [UInt8]

    var name: String { "standard input" }
    var isTerminal: Bool { false }
    var terminalSize: TerminalSize? { nil }
    var canAsk: Bool { false }

    func checkIsReadable() throws(VTError) {}

    func source() -> any ByteSource { BytesSource(bytes) }

    func begin(raw: Bool, hasScreen: Bool) -> Bool { false }

    func prepare(_ reset: [UInt8]) {}

    func suspend() {}

    func ask(_ prompt: Prompt) async throws(VTError) -> [UInt8]? { nil }

    func end() {}

    func take(_ handling: SignalHandling) throws(VTError) -> Interruption { .none }
}
