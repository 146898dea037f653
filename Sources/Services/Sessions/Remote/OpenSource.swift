import Core
import Runtime
import Synchronization

/// A source that provides no bytes and never ends: the program's input ends only when the connection is lost.
struct OpenSource: ByteSource {
    func read() async throws(VTError) -> [UInt8]? {
        try await Monitor(()).wait { _ in Optional<[UInt8]?>.none }
    }
}
