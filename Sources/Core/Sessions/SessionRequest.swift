/// The parameters of a new session on this machine.
package struct SessionRequest: Hashable, Sendable {
    /// What was requested, with a command: a program without `/` is looked up in the session's PATH.
    package var creation: SessionCreation
    /// The absolute path of the directory of the creation.
    package var directory: String
    /// The whole environment, as `NAME=VALUE` words.
    package var environment: [ByteString]
    /// Whether the session survives its creator's logout, and why; stored as `Session.survival`.
    package var survival: String?
    /// The words to prepend to the holder's command line so that the holder survives a logout; usually none.
    package var launchPrefix: [ByteString] = []
    /// The creator's SSH agent socket: `SessionFiles.agent` links to it, and `SSH_AUTH_SOCK` in the session is the path
    /// of that link.
    package var agentSocket: String?

    package init(_ creation: SessionCreation, in directory: String, environment: [ByteString]) {
        self.creation = creation
        self.directory = directory
        self.environment = environment
    }
}
