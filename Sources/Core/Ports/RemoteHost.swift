/// A server that let us in.
package protocol RemoteHost: CommandHost {
    /// The server's files; nothing is sent before the first of them is asked for.
    var files: any RemoteFiles { get }

    /// Ends the connection; waits for the peer a moment at most.
    func close() async
}
