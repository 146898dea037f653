/// An authenticated connection to a server.
package protocol RemoteHost: CommandHost {
    /// The server's files; the SFTP subsystem is started on first use.
    var files: any RemoteFiles { get }

    /// Closes the connection, waiting only briefly for the peer.
    func close() async
}
