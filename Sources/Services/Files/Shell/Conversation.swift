import Core

/// A conversation with a program on a server that acts on its files.
protocol Conversation: ByteSource, ByteSink {
    /// The name of the server in messages.
    var name: String { get }

    /// Ends the conversation: everything that waits for the program fails.
    func end(_ failure: VTError)
}
