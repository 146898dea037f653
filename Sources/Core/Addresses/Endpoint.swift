/// A host name or address with a TCP port.
package struct Endpoint: Hashable, Sendable {
    /// A name, an IPv4 address or an IPv6 address without brackets.
    package var host: String
    package var port: UInt16

    /// The port registered for SSH (RFC 4253 §4.1).
    package static let standardPort: UInt16 = 22

    package init(host: String, port: UInt16 = Endpoint.standardPort) {
        self.host = host
        self.port = port
    }

    /// The host's name in known_hosts files: `host`, or `[host]:port` if the port is not 22 (sshd(8), SSH_KNOWN_HOSTS
    /// FILE FORMAT).
    ///
    /// The name is in lower case, because OpenSSH converts a host name to lower case before looking it up.
    package var knownHostsName: String {
        let name = host.lowercased()
        return port == Self.standardPort ? name : "[\(name)]:\(port)"
    }

    /// The form that `vt host` commands accept: `host`, or `host:port` if the port is not 22.
    package var shortText: String {
        port == Self.standardPort ? host : description
    }

    /// `host:port`, with an IPv6 address in brackets.
    package var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension Endpoint: CustomStringConvertible {}
