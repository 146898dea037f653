import Core
import NIOCore
import NIOPosix

/// Turns one end of a socket pair into a channel.
enum ConnectedSocket {
    /// Takes over the descriptor, whatever comes of it; the channel has not begun to read.
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
