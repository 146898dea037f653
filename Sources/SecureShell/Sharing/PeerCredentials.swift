import Core
import Glibc
import NIOCore
import NIOPosix

/// The credentials of the process at the other end of a socket, `struct ucred` (unix(7)).
struct PeerCredentials {
    var processID: pid_t
    var userID: uid_t
    var groupID: gid_t

    /// Fails unless the command at the other end runs as the same user.
    ///
    /// The corresponding C function is `getsockopt` with SO_PEERCRED (unix(7)).
    static func check(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(VTError(.internal, "not a socket"))
        }
        let credentials: EventLoopFuture<PeerCredentials> = provider.unsafeGetSocketOption(
            level: .socket,
            name: .init(rawValue: SO_PEERCRED)
        )
        return credentials.flatMapThrowing { credentials in
            guard credentials.userID == geteuid() else {
                throw VTError(
                    .config,
                    "refused a process of uid \(credentials.userID) on the socket of a shared connection"
                )
            }
        }
    }
}
