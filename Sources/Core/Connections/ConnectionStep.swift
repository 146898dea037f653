/// An event reported while connecting to a server or starting a command on it.
package enum ConnectionStep: Hashable, Sendable {
    /// The host name resolved to these addresses; not reported for connections through a jump host or proxy command.
    case resolved(addresses: [String])
    /// The transport is connected; the address is nil for connections through another server or a program.
    case connected(address: String?)
    /// The server's identification line (RFC 4253 §4.2), without its line end.
    case identified(banner: String)
    /// The key exchange is complete: the names of the key exchange method, the type of the host key, the cipher and the
    /// MAC (RFC 4253 §7.1), which are the same in both directions. That of the MAC is empty if the cipher provides
    /// authentication.
    case keysExchanged(algorithms: [String])
    case trusted(HostKey, TrustVerdict)
    /// The server's authentication banner (RFC 4252 §5.4), which may have several lines.
    case greeted(banner: String)
    /// Authentication succeeded; `method` is the method and, for `publickey`, the name of the key.
    case authenticated(method: String)
    /// A shared connection is used; the process with this ID keeps it open.
    case shared(processID: Int32)
    /// A connection attempt failed before anything was run, and will be retried.
    case retrying(after: VTError)
    /// A program that carries the connection printed this line before the command started.
    case printed(line: String)
    /// The server rejected an offered environment variable.
    case refused(variable: String)
}
