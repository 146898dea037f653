import CLibSSL
import Core

/// Why a connection with TLS has failed, or cannot be made.
package struct TLSError: Error, Hashable, CustomStringConvertible {
    package enum Kind: Sendable {
        case failed
        /// The peer closed the connection without saying that it had sent everything (RFC 8446 §6.1).
        case truncated
        /// The certificate of the server was rejected.
        case untrusted
    }

    package let kind: Kind
    package let description: String
    /// The code in libssl's queue of errors; 0 if there is none.
    private let code: UInt

    static let truncated = TLSError(.truncated, "the peer closed the connection without an end mark")
    static let endDuringHandshake = TLSError(.failed, "the peer closed the connection during the handshake")

    init(_ kind: Kind, _ description: String) {
        (self.kind, self.description, code) = (kind, description, 0)
    }

    /// Removes the errors of the last call from the queue of this thread, and copies the first of them.
    ///
    /// The corresponding C function is `ERR_get_error`.
    init() {
        kind = .failed
        code = ERR_get_error()
        ERR_clear_error()
        if ERR_GET_LIB(code) == ERR_LIB_SYS {
            description = systemErrorText(ERR_GET_REASON(code))
        } else {
            description = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        }
    }

    /// The error number of the failed system call, if it was one.
    package var errorNumber: CInt? {
        ERR_GET_LIB(code) == ERR_LIB_SYS ? ERR_GET_REASON(code) : nil
    }

    /// Whether a key does not belong to a certificate.
    package var isMismatch: Bool {
        ERR_GET_LIB(code) == ERR_LIB_X509
            && [X509_R_KEY_VALUES_MISMATCH, X509_R_KEY_TYPE_MISMATCH].contains(ERR_GET_REASON(code))
    }
}
