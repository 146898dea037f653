import Core
import NIOCore
import NIOSSL

/// Encrypts the connections of a server.
struct TLS: Sendable {
    private let context: NIOSSLContext

    /// The cipher suites of TLS 1.2, those with forward secrecy and authenticated encryption (RFC 9325 §4.2); those of
    /// TLS 1.3 all have both.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// Reads a certificate, with those that lead to it, and its key.
    ///
    /// - Throws: `config`.
    init(_ certificate: (chain: String, key: String)) throws(VTError) {
        let (chain, key) = certificate
        let certificates = try Self.reading("cannot read the certificates in '\(chain)'") {
            try NIOSSLCertificate.fromPEMFile(chain)
        }
        let privateKey = try Self.reading("cannot read the key in '\(key)'; it must be in PEM without a passphrase") {
            // Without this function, the library asks for a passphrase on the terminal.
            try NIOSSLPrivateKey(file: key, format: .pem) { (setter: NIOSSLPassphraseSetter<[UInt8]>) in setter([]) }
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(privateKey)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = Self.suites
        let complete = configuration
        context = try Self.reading("the key in '\(key)' does not belong to the first certificate in '\(chain)'") {
            try NIOSSLContext(configuration: complete)
        }
    }

    private static func reading<Result>(_ problem: String, _ body: () throws -> Result) throws(VTError) -> Result {
        do {
            return try body()
        } catch let error as IOError {
            throw .system(error.errnoCode, problem, fallback: .config)
        } catch {
            throw VTError(.config, problem, causes: ["\(error)"])
        }
    }

    /// The handler for a new connection.
    var handler: NIOSSLServerHandler { NIOSSLServerHandler(context: context) }
}
