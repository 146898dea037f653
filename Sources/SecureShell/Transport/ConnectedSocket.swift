import Core
import NIOCore
import NIOPosix

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
