import Core
import Synchronization

/// Standard input with contents provided by a test.
final class MemoryInput: StandardInput {
    let isTerminal: Bool
    let terminalSize: TerminalSize?
    private let contents: Mutex<[UInt8]>

    init(_ text: String = "", isTerminal: Bool = false, terminalSize: TerminalSize? = nil) {
        self.isTerminal = isTerminal
        self.terminalSize = terminalSize
        contents = Mutex(Array(text.utf8))
    }

    var name: String { "standard input" }

    func checkIsReadable() throws(VTError) {}

    func source() -> any ByteSource { Source(input: self) }

    /// Returns all contents in a single read.
    private struct Source: ByteSource {
        let input: MemoryInput

        func read() async throws(VTError) -> [UInt8]? {
            let bytes = input.contents.withLock { contents in
                defer { contents = [] }
                return contents
            }
            return bytes.isEmpty ? nil : bytes
        }
    }
}
