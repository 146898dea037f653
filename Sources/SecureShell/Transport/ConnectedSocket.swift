import Core
import NIOCore
import NIOPosix
import System
import struct System.FileDescriptor

/// Turns one end of a socket pair into a NIO channel.
enum ConnectedSocket {
    /// Takes ownership of the descriptor, even on failure; the channel has not started reading.
    static func channel(
        owning descriptor: CInt,
        on eventLoop: any EventLoop,
        name: String
    ) async throws(VTError) -> any Channel {
        let future = ClientBootstrap(group: eventLoop)
            .wireOptions()
            .withConnectedSocket(descriptor)
        return try await future.value(to: name)
    }
}

/// A reference-counted descriptor, closed when the last reference is released.
final class SharedDescriptor: Sendable {
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    var number: CInt { descriptor.number }
}
