import CGuardedSSH2
import CLibSSH2

/// A port on which the server accepts connections, confined to the connection's actor.
///
/// A listener that is not canceled is freed with its session.
@safe
final class ListenerHandle {
    private let raw: OpaquePointer
    private let memory: SessionMemory
    /// The port, chosen by the server if 0 was requested.
    let port: UInt16

    /// The number of connections that libssh2 keeps until they are accepted; it rejects others.
    ///
    /// A single read can contain the requests for several hundred of them.
    static let queueLimit: CInt = 4096

    /// `memory` is that of the session.
    init(_ raw: OpaquePointer, in memory: SessionMemory, port: UInt16) {
        unsafe self.raw = raw
        self.memory = memory
        self.port = port
    }

    /// Returns the next connection; nil if there is none.
    ///
    /// libssh2 also returns nothing if the connection to the server is lost, which other calls report. The
    /// corresponding C function is `libssh2_channel_forward_accept`.
    func accept() -> ChannelHandle? {
        guard let channel = unsafe guarded_channel_forward_accept(memory.failed, raw) else { return nil }
        return unsafe ChannelHandle(channel, in: memory, isOpenedByPeer: true)
    }

    /// Stops listening and frees the listener, which must not be used after any result other than EAGAIN.
    ///
    /// The corresponding C function is `libssh2_channel_forward_cancel`.
    func cancel() -> Int {
        Int(unsafe guarded_channel_forward_cancel(memory.failed, raw))
    }
}
