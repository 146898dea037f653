import Core

/// A program to start on this machine.
package struct SpawnPlan: Sendable {
    /// The open descriptors that become the program's descriptors 0, 1 and 2; the caller still owns them.
    package enum Streams: Sendable {
        case descriptors(input: CInt, output: CInt, errorOutput: CInt)
        /// The slave side of a pseudo-terminal, which becomes the program's controlling terminal.
        case terminal(CInt)
    }

    /// The argument vector; a first word without `/` is looked up in PATH.
    package var arguments: [ByteString]
    /// `NAME=VALUE` words.
    package var environment: [ByteString]
    /// Nil means the current directory.
    package var directory: String?
    /// The program's umask; nil means the umask of this process.
    package var creationMask: UInt32?
    /// Whether the program stays in the session and process group of this process, instead of in a new session.
    package var sharesSession = false

    package init(arguments: [ByteString], environment: [ByteString], directory: String? = nil) {
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
    }
}
