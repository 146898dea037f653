import CLibSSH2
import Core

/// What a call into libssh2 came to, when it failed.
struct EngineError: Error, Sendable {
    /// The library's code, negative; one that is not known here is kept as it came.
    var code: CInt
    /// Which call failed.
    var call: StaticString
    /// The library's own words, empty where it has none for this code.
    var text: String

    /// Whether the link is gone: the peer closed it, or the socket failed.
    var isLinkLoss: Bool {
        switch code {
        case LIBSSH2_ERROR_SOCKET_RECV, LIBSSH2_ERROR_SOCKET_SEND, LIBSSH2_ERROR_SOCKET_DISCONNECT,
            LIBSSH2_ERROR_BAD_SOCKET:
            true
        default: false
        }
    }

    /// For the `caused by` lines.
    var summary: String {
        "libssh2_\(call): \(text.isEmpty ? "error" : text) (\(code))"
    }
}
