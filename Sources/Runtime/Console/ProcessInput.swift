import Core
import System

/// Standard input of this process.
package struct ProcessInput: StandardInput {
    package init() {}

    package var name: String { StandardStream.input.name }
    package var isTerminal: Bool { StandardStream.input.isTerminal }
    package var terminalSize: TerminalSize? { StandardStream.input.terminalSize }

    package func checkIsReadable() throws(VTError) {
        try StandardStream.input.checkIsReadable()
    }

    package func source() -> any ByteSource {
        ThreadedInput(StandardStream.input.rawValue)
    }
}
