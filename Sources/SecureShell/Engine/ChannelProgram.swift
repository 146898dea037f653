import Core

/// What a channel is asked to run (RFC 4254 §6.5).
enum ChannelProgram {
    /// A line for the user's login shell.
    case line(ByteString)
    /// The login shell itself.
    case shell
    case subsystem(ByteString)
}
