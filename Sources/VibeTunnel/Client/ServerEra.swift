import Core

/// The two protocols of VibeTunnel servers.
package enum ServerEra: String, Hashable, Sendable {
    /// June to December 2025: Server-Sent Events.
    case legacy
    /// Since December 2025: the WebSocket `/ws`.
    case v3

    /// What the answer to `/api/health` means.
    package enum Health: Hashable, Sendable {
        case known(ServerEra)
        /// Legacy, unless `/ws` opens a WebSocket.
        case probable
        case unknown
    }

    package static func health(status: Int, body: [UInt8]) -> Health {
        guard (200..<300).contains(status), let json = try? JSONOutlineParser.parse(body) else { return .unknown }
        switch json.member("status")?.string(in: body) {
        case "healthy": return .known(.v3)
        case "ok": return .probable
        default: return .unknown
        }
    }
}
