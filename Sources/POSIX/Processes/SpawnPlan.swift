import Core

/// A program to start on this machine.
package struct SpawnPlan: Sendable {
    /// Where the program's descriptors 0, 1 and 2 come from: numbers of open descriptors, which stay the caller's.
    package enum Streams: Sendable {
        case descriptors(input: CInt, output: CInt, errorOutput: CInt)
        /// The slave side of a terminal pair, which becomes the program's controlling terminal.
        case terminal(CInt)
    }

    /// The words; the first one names the program and is looked up in PATH when it holds no `/`.
    package var arguments: [ByteString]
    /// `NAME=VALUE` words.
    package var environment: [ByteString]
    /// Nil: the present directory.
    package var directory: String?
    /// The program's file mode creation mask; nil: that of this process.
    package var creationMask: UInt32?

    package init(arguments: [ByteString], environment: [ByteString], directory: String? = nil) {
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
    }
}
