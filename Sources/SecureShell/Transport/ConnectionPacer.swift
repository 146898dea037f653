import Core
import Runtime
import Synchronization

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
        /// Set to true when the waiting task is canceled, and to false when it gets a place; each waiter is
        /// removed first.
        var waiters: [FirstResult<Bool>] = []

        var isFull: Bool { limit.map { Double(attempts) + 1 > $0 } ?? false }
    }

    private let servers = Mutex<[Endpoint: Server]>([:])

    /// Waits until a connection may be started.
    ///
    /// - Throws: `cancelled`.
    func enter(_ endpoint: Endpoint) async throws(VTError) -> Place {
        let waiter: FirstResult<Bool>? = servers.withLock { servers in
            guard servers[endpoint, default: Server()].isFull else {
                servers[endpoint, default: Server()].attempts += 1
                return nil
            }
            let waiter = FirstResult<Bool>()
            servers[endpoint, default: Server()].waiters.append(waiter)
            return waiter
        }
        if let waiter, await isCanceled(waiter, at: endpoint) { throw .cancelled }
        return Place(endpoint: endpoint, reductions: servers.withLock { $0[endpoint]?.reductions ?? 0 })
    }

    /// Gives up a place, and lets waiting connections start if the limit now permits them.
    func leave(_ place: Place, _ result: Result) {
        let admitted = servers.withLock { servers in
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
            var admitted: [FirstResult<Bool>] = []
            while !server.isFull, !server.waiters.isEmpty {
                server.attempts += 1
                admitted.append(server.waiters.removeFirst())
            }
            return admitted
        }
        for waiter in admitted { waiter.provide(false) }
    }

    /// Whether the server has accepted a connection, in which case a refusal is temporary.
    func hasAccepted(_ endpoint: Endpoint) -> Bool {
        servers.withLock { $0[endpoint]?.hasAccepted ?? false }
    }

    private func isCanceled(_ waiter: FirstResult<Bool>, at endpoint: Endpoint) async -> Bool {
        await withTaskCancellationHandler {
            // `FirstResult` resumes exactly once.
            await unsafe withUnsafeContinuation { continuation in
                _ = waiter.wait { unsafe continuation.resume(returning: $0) }
            }
        } onCancel: {
            let wasWaiting = servers.withLock { servers in
                guard let index = servers[endpoint]?.waiters.firstIndex(where: { $0 === waiter }) else { return false }
                servers[endpoint]?.waiters.remove(at: index)
                return true
            }
            if wasWaiting { waiter.provide(true) }
        }
    }
}
