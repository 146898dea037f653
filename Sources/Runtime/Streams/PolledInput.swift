import Core
import Glibc
import System

/// Reads a pipe or the master side of a terminal that no other process shares, once data is available, without a
/// thread.
package final class PolledInput: ByteSource {
    private let descriptor: FileDescriptor
    private let poller: DescriptorPoller

    private static let chunkBytes = 128 * 1024

    /// Owns `descriptor`, which becomes non-blocking.
    package init(owning descriptor: CInt, poller: DescriptorPoller) {
        self.descriptor = FileDescriptor(owning: descriptor)
        self.poller = poller
        Self.unblock(descriptor)
    }

    package func read() async throws(VTError) -> [UInt8]? {
        // Waiting first gives other tasks their turn even if there is always something to read.
        try await poller.wait(for: .readable, on: descriptor.number)
        let bytes = try BlockingIO.read(descriptor.number, limit: Self.chunkBytes)
        return bytes.isEmpty ? nil : bytes
    }

    /// Makes a descriptor non-blocking.
    static func unblock(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
}
