import Core
import HTTP

/// Encrypts the connections of a server.
struct TLS: Sendable {
    private let context: TLSContext

    /// Reads a certificate, with those that lead to it, and its key.
    ///
    /// - Throws: `config`; `not-found`.
    init(_ certificate: (chain: String, key: String)) throws(VTError) {
        let (chain, key) = certificate
        let context = try Self.checking("cannot use TLS") { () throws(TLSError) in try TLSContext(.server) }
        try Self.checking("cannot read the certificates in '\(chain)'") { () throws(TLSError) in
            try context.useCertificates(in: chain)
        }
        let mismatch = "the key in '\(key)' does not belong to the first certificate in '\(chain)'"
        let unreadable = "cannot read the key in '\(key)'; it must be in PEM without a passphrase"
        do throws(TLSError) {
            try context.useKey(in: key)
        } catch {
            throw Self.failure(error, error.isMismatch ? mismatch : unreadable)
        }
        try Self.checking(mismatch) { () throws(TLSError) in try context.checkKey() }
        self.context = context
    }

    private static func checking<Result>(
        _ problem: String,
        _ body: () throws(TLSError) -> Result
    ) throws(VTError) -> Result {
        do throws(TLSError) { return try body() } catch { throw failure(error, problem) }
    }

    private static func failure(_ error: TLSError, _ problem: String) -> VTError {
        guard let number = error.errorNumber else { return VTError(.config, problem, causes: ["\(error)"]) }
        return .system(number, problem, fallback: .config)
    }

    /// The handler for a new connection.
    func handler() throws(TLSError) -> TLSHandler { try context.handler() }
}
