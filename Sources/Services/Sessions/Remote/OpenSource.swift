import Core
import POSIX
import Synchronization

/// An empty input that never ends: the program sees an end only when the connection is lost.
struct OpenSource: ByteSource {
    func read() async throws(VTError) -> [UInt8]? {
        try await Monitor(()).wait { _ in Optional<[UInt8]?>.none }
    }
}
