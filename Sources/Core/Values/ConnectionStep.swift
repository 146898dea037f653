/// A step of connecting that is done.
package enum ConnectionStep: Hashable, Sendable {
    /// The host name has these addresses; not reported behind a jump host or proxy command.
    case resolved(addresses: [String])
    /// Bytes can flow; the address is nil behind a jump host or proxy command.
    case connected(address: String?)
    /// The server's identification line (RFC 4253 §4.2), without its line end.
    case identified(banner: String)
    /// The key exchange is agreed on; names as in RFC 4253 §7.1.
    case keysExchanged(algorithms: NegotiatedAlgorithms)
    case trusted(HostKey, TrustVerdict)
    /// The server shows this text before it lets us in (RFC 4252 §5.4); it may have several lines.
    case greeted(banner: String)
    /// With this method and, for keys, what the key is called.
    case authenticated(method: String)
    /// An attempt to connect failed before anything was run and is made again.
    case retrying(after: VTError)
    /// The server does not set a variable that it was offered.
    case refused(variable: String)
}
