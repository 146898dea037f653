import Core
import NIOCore
import NIOSSL

/// Encrypts connections to servers, with TLS 1.2 or later, and verifies their certificates.
struct ClientTLS: Sendable {
    private let context: NIOSSLContext

    /// Trusts the authorities in a PEM file, or those of the system.
    ///
    /// - Throws: `config` for a file that cannot be used.
    init(authorities: String?) throws(VTError) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        if let authorities { configuration.trustRoots = .file(authorities) }
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            let roots = authorities.map { "the certificates in '\($0)'" } ?? "the certificates of the system"
            throw VTError(.config, "cannot use \(roots)", causes: ["\(error)"])
        }
    }

    /// The handler for a connection to this host, which the certificate must name.
    func handler(for host: String) throws -> NIOSSLClientHandler {
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        // Addresses are not sent (RFC 6066 §3); the certificate must then name that of the peer.
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
    }
}
