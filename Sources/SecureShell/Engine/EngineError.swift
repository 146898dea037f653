import CLibSSH2
import Core

/// An error reported by libssh2.
struct EngineError: Error, Sendable {
    /// The library's error code, negative; unknown codes are kept unchanged.
    var code: CInt
    /// The call that failed.
    var call: StaticString
    /// The library's error message, empty if there is none for this code.
    var text: String

    /// The error for a server that does not bear another channel.
    static let channelRefusal = Self(
        code: LIBSSH2_ERROR_CHANNEL_FAILURE,
        call: "channel_open",
        text: "Channel open failure (too many channels for this server)"
    )

    /// Whether the connection is lost: the peer closed it, or the socket failed.
    var isLinkLoss: Bool {
        switch code {
        case LIBSSH2_ERROR_SOCKET_RECV, LIBSSH2_ERROR_SOCKET_SEND, LIBSSH2_ERROR_SOCKET_DISCONNECT,
            LIBSSH2_ERROR_BAD_SOCKET:
            true
        default: false
        }
    }

    /// Whether an error with this code means that a packet was malformed, and not what it contains.
    static func isCorruption(_ code: CInt) -> Bool {
        code == LIBSSH2_ERROR_DECRYPT || code == LIBSSH2_ERROR_OUT_OF_BOUNDARY || code == LIBSSH2_ERROR_INVALID_MAC
    }

    /// Whether the server refused to open a channel, usually because of MaxSessions (sshd_config(5)).
    var isChannelRefusal: Bool { code == LIBSSH2_ERROR_CHANNEL_FAILURE }

    /// Why the server refused to open a channel: the part of the message in parentheses.
    var refusalReason: String {
        guard let start = text.firstIndex(of: "("), text.hasSuffix(")") else { return text }
        return String(text[start...].dropFirst().dropLast())
    }

    /// The text for `caused by` lines.
    var summary: String {
        "libssh2_\(call): \(text.isEmpty ? "error" : text) (\(code))"
    }
}
