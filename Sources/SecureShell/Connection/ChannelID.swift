import Core
import NIOCore
import POSIX

/// Identifies a channel of one connection.
struct ChannelID: Hashable, Sendable {
    let number: Int
}
