import Core
import NIOCore
import System

/// Identifies a channel of one connection.
struct ChannelID: Hashable, Sendable {
    let number: Int
}
