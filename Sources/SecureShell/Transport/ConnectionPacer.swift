import Core
import Runtime

/// Limits how many connections to each server are established concurrently, once the server has refused one.
///
/// sshd(8) drops connections while too many others are not authenticated yet (MaxStartups in sshd_config(5): by
/// default, some starting with the 11th, and all starting with the 101st). The limit is unknown and shared with other
/// clients; therefore, as in the congestion control of TCP (RFC 5681 §3.1), a refusal halves the number of connections,
/// and each round of accepted connections adds one.
final class ConnectionPacer: Sendable {
    /// Permission to establish a connection, to be returned with `leave`.
    struct Place: Sendable {
        fileprivate let endpoint: Endpoint
        /// How many times the limit had been reduced before this place was taken.
        fileprivate let reductions: Int
    }

    /// How an attempt to connect ended.
    enum Result {
        case accepted
        /// The server closed the connection before it identified itself.
        case refused
        case failed
    }

    private struct Server {
        /// The number of places in use.
        var attempts = 0
        /// Nil until a connection is refused.
        var limit: Double?
        var reductions = 0
        var hasAccepted = false

        var isFull: Bool { limit.map { Double(attempts) + 1 > $0 } ?? false }
    }

    private let servers = Monitor<[Endpoint: Server]>([:])

    /// Waits until a connection may be started.
    ///
    /// - Throws: `cancelled`.
    func enter(_ endpoint: Endpoint) async throws(VTError) -> Place {
        try await servers.wait { servers in
            var server = servers[endpoint, default: Server()]
            guard !server.isFull else { return nil }
            server.attempts += 1
            servers[endpoint] = server
            return Place(endpoint: endpoint, reductions: server.reductions)
        }
    }

    /// Gives up a place, and lets waiting connections start if the limit now permits them.
    func leave(_ place: Place, _ result: Result) {
        servers.update { servers in
            var server = servers[place.endpoint, default: Server()]
            defer { servers[place.endpoint] = server }
            switch result {
            case .accepted:
                server.hasAccepted = true
                if let limit = server.limit { server.limit = limit + 1 / limit }
            case .refused where place.reductions == server.reductions:
                // A burst of connections reduces the limit only once, however many of them are refused.
                server.limit = max(1, Double(server.attempts) / 2)
                server.reductions += 1
            case .refused, .failed: break
            }
            server.attempts -= 1
        }
    }

    /// Whether the server has accepted a connection, in which case a refusal is temporary.
    func hasAccepted(_ endpoint: Endpoint) -> Bool {
        servers.withLock { $0[endpoint]?.hasAccepted ?? false }
    }
}
