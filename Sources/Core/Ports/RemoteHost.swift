/// A server that let us in.
package protocol RemoteHost: CommandHost {
    /// Ends the connection; waits for the peer a moment at most.
    func close() async
}
