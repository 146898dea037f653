import Core

/// Encrypts connections to servers, and verifies their certificates.
struct ClientTLS: Sendable {
    private let context: TLSContext

    /// Trusts the authorities in a PEM file, or those of the system.
    ///
    /// - Throws: `config` for a file that cannot be used.
    init(authorities: String?) throws(VTError) {
        do throws(TLSError) {
            context = try TLSContext(.client)
            if let authorities { try context.trust(authorities) } else { context.trustSystem() }
        } catch {
            let roots = authorities.map { "the certificates in '\($0)'" } ?? "the certificates of the system"
            throw VTError(.config, "cannot use \(roots)", causes: ["\(error)"])
        }
    }

    /// The handler for a connection to this host, which the certificate must name.
    func handler(for host: String) throws(TLSError) -> TLSHandler { try context.handler(for: host) }
}
