import Core
import NIOSSL

/// Encrypts the connections of a server.
struct TLS: Sendable {
    private let context: NIOSSLContext

    /// Reads a certificate, with those that lead to it, and its key.
    ///
    /// - Throws: `config`.
    init(_ certificate: (chain: String, key: String)) throws(VTError) {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate.chain)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: certificate.key, format: .pem))
            )
            configuration.minimumTLSVersion = .tlsv12
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw VTError(
                .config,
                "cannot use the certificate '\(certificate.chain)' with the key '\(certificate.key)'",
                causes: ["\(error)"]
            )
        }
    }

    /// The handler for a new connection.
    var handler: NIOSSLServerHandler { NIOSSLServerHandler(context: context) }
}
