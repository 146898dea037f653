import Core
import System

extension StandardStream: StandardInput {
    package func source() -> any ByteSource { ThreadedInput(rawValue) }
}
