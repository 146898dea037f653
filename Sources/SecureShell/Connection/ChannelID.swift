/// Identifies a channel of one connection.
struct ChannelID: Hashable, Sendable {
    let number: Int
}
