import CLibSSL
import Glibc

/// What the connections of a client or of a server have in common: TLS 1.2 or later, certificates, and a key.
@safe
package final class TLSContext: Sendable {
    /// Which end of the connections this is.
    package enum Side: Sendable {
        case client, server
    }

    let side: Side
    // Several threads may use a context, but not while it is changed (openssl-threads(7ssl)): each change is made
    // before another thread has it.
    private nonisolated(unsafe) let raw: OpaquePointer

    /// The cipher suites of TLS 1.2 that a server accepts; like all of TLS 1.3, they have forward secrecy and
    /// authenticated encryption (RFC 9325 §4.2).
    private static let suites = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ]
    /// The groups for the key exchange that a server accepts; others in libssl cost it many times as much processor time.
    private static let groups = "X25519:P-256:P-384"
    /// The first group, since OpenSSL 3.5.
    private static let hybridGroup = "X25519MLKEM768:"
    /// `http/1.1` as a list of protocols (RFC 7301 §3.1).
    private static let protocols = [UInt8("http/1.1".utf8.count)] + Array("http/1.1".utf8)
    /// Where Debian, Ubuntu, Arch, Alpine, Fedora, RHEL and openSUSE keep the certificates of authorities: a static
    /// executable knows only the place in the system that built it.
    private static let authorityFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
    private static let authorityDirectory = "/etc/ssl/certs"

    package init(_ side: Side) throws(TLSError) {
        self.side = side
        // The configuration could name modules, which a static executable cannot load (config(5ssl)).
        OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
        guard let raw = unsafe SSL_CTX_new(side == .client ? TLS_client_method() : TLS_server_method()) else {
            throw TLSError()
        }
        unsafe self.raw = raw
        unsafe refuse_renegotiation(raw)
        unsafe release_buffers(raw)
        // Sessions are resumed with tickets, which the client keeps.
        unsafe store_no_sessions(raw)
        guard unsafe require_tls_1_2(raw) == 1 else { throw TLSError() }
        let isConfigured: Bool
        switch side {
        case .client:
            unsafe SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
            isConfigured = unsafe SSL_CTX_set_alpn_protos(raw, Self.protocols, CUnsignedInt(Self.protocols.count)) == 0
        case .server:
            let hasGroups =
                unsafe set_groups(raw, Self.hybridGroup + Self.groups) == 1 || set_groups(raw, Self.groups) == 1
            isConfigured = unsafe hasGroups && SSL_CTX_set_cipher_list(raw, Self.suites.joined(separator: ":")) == 1
        }
        guard isConfigured else { throw TLSError() }
    }

    deinit {
        unsafe SSL_CTX_free(raw)
    }

    // MARK: - Files

    /// Trusts the authorities in a PEM file; the corresponding C function is `SSL_CTX_load_verify_file`.
    package func trust(_ file: String) throws(TLSError) {
        ERR_clear_error()
        guard unsafe SSL_CTX_load_verify_file(raw, file) == 1 else { throw TLSError() }
    }

    /// Trusts the authorities of the system, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
    ///
    /// As in libssl, what does not exist is left out; no certificate is trusted then.
    package func trustSystem() {
        unsafe SSL_CTX_set_default_verify_file(raw)
        unsafe SSL_CTX_set_default_verify_dir(raw)
        if unsafe getenv(X509_get_default_cert_file_env()) == nil,
            let file = Self.authorityFiles.first(where: { unsafe access($0, R_OK) == 0 })
        {
            unsafe SSL_CTX_load_verify_file(raw, file)
        }
        if unsafe getenv(X509_get_default_cert_dir_env()) == nil {
            unsafe SSL_CTX_load_verify_dir(raw, Self.authorityDirectory)
        }
        ERR_clear_error()
    }

    /// Reads a certificate, and those that lead to it; the corresponding C function is
    /// `SSL_CTX_use_certificate_chain_file`.
    package func useCertificates(in file: String) throws(TLSError) {
        ERR_clear_error()
        guard unsafe SSL_CTX_use_certificate_chain_file(raw, file) == 1 else { throw TLSError() }
    }

    /// Reads the key of the certificate; the corresponding C function is `SSL_CTX_use_PrivateKey_file`.
    package func useKey(in file: String) throws(TLSError) {
        ERR_clear_error()
        // Without this function, libssl asks for a passphrase on the terminal.
        unsafe SSL_CTX_set_default_passwd_cb(raw) { _, _, _, _ in -1 }
        guard unsafe SSL_CTX_use_PrivateKey_file(raw, file, SSL_FILETYPE_PEM) == 1 else { throw TLSError() }
    }

    /// Fails if the key is not that of the certificate; the corresponding C function is `SSL_CTX_check_private_key`.
    package func checkKey() throws(TLSError) {
        ERR_clear_error()
        guard unsafe SSL_CTX_check_private_key(raw) == 1 else { throw TLSError() }
    }

    // MARK: - Connections

    /// The handler for a new connection; the certificate of a server must name the host.
    package func handler(for host: String? = nil) throws(TLSError) -> TLSHandler {
        guard let session = unsafe TLSSession(SSL_new(raw)) else { throw TLSError() }
        if let host { try session.require(host) }
        session.start(as: side)
        return TLSHandler(session)
    }
}
