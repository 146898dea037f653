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
        // Addresses are not sent (RFC 6066 §3); the certificate must then name that of the peer.
        if (try? SocketAddress(ipAddress: host, port: 0)) != nil {
            return try NIOSSLClientHandler(context: context, serverHostname: nil)
        }
        // The library also accepts a certificate that names only the address to which the name was resolved. Its public
        // interface offers neither the names in a certificate, nor a check that does not replace the library's own.
        return try NIOSSLClientHandler._makeSSLClientHandler(context: context, serverHostname: host) {
            certificate,
            channel in
            Self.isNamed(host, certificate)
                ? channel.eventLoop.makeSucceededVoidFuture()
                : channel.eventLoop.makeFailedFuture(NIOSSLError.cannotMatchULabel)
        }
    }

    /// Whether a certificate that the library has accepted for the name contains the name, and not only an address
    /// (RFC 9525 §6.3).
    private static func isNamed(_ host: String, _ certificate: NIOSSLCertificate) -> Bool {
        let names = certificate._subjectAlternativeNames().map { ($0.nameType, Array($0.contents)) }
        guard names.contains(where: { $0.0 == .ipAddress }) else { return true }
        let host = host.lowercased()
        return names.contains { kind, contents in
            guard kind == .dnsName else { return false }
            let name = String(decoding: contents, as: UTF8.self).lowercased()
            guard name.hasPrefix("*.") else { return name == host }
            return host.drop { $0 != "." } == name.dropFirst()
        }
    }
}
