import CLibSSH2
import Core

/// Why the calls of an operation on a connection returned no result; `SSHConnection` turns it into the error to report.
enum SSHFailure: Error {
    /// libssh2 reported an error: its code, which is negative and not changed if it is unknown, the call that failed, and
    /// the library's message, empty if there is none for this code.
    case library(code: CInt, call: StaticString, text: String)
    /// The connection has failed, the task was canceled, or something other than the library failed.
    case stopped(VTError)

    /// The failure for a server that does not bear another channel.
    static let channelRefusal = Self.library(
        code: LIBSSH2_ERROR_CHANNEL_FAILURE,
        call: "channel_open",
        text: "Channel open failure (too many channels for this server)"
    )

    /// Does something other than calling the library; an error stops the operation.
    static func stopping<Result>(_ body: () async throws(VTError) -> Result) async throws(SSHFailure) -> Result {
        do throws(VTError) {
            return try await body()
        } catch {
            throw .stopped(error)
        }
    }

    /// The library's error code; nil if it reported none.
    var code: CInt? {
        if case .library(let code, _, _) = self { code } else { nil }
    }

    /// Whether the library found the connection lost: the peer closed it, or the socket failed.
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

    /// Whether the server refused to open a channel, usually because of MaxSessions (sshd_config(5)); the connection
    /// still works.
    var isChannelRefusal: Bool { code == LIBSSH2_ERROR_CHANNEL_FAILURE }

    /// Whether the server denied a request on a channel; the connection still works.
    var isDenial: Bool { code == LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED }

    /// Why the server refused to open a channel: the part of the message in parentheses.
    var refusalReason: String {
        guard case .library(_, _, let text) = self else { return "" }
        guard let start = text.firstIndex(of: "("), text.hasSuffix(")") else { return text }
        return String(text[start...].dropFirst().dropLast())
    }

    /// The texts for `caused by` lines.
    var causes: [String] {
        switch self {
        case .library(let code, let call, let text): ["libssh2_\(call): \(text.isEmpty ? "error" : text) (\(code))"]
        case .stopped(let error): error.causes
        }
    }
}
