import Core
import Synchronization

/// Tickets to download a recording, each valid once and for a minute.
final class PageTickets: Sendable {
    private static let lifetime = Duration.seconds(60)
    private static let limit = 256

    private let tickets = Mutex<[String: (entry: PageEntry, end: ContinuousClock.Instant)]>([:])

    func make(for entry: PageEntry) -> String {
        let ticket = RandomIdentifier.make()
        let now = ContinuousClock.now
        tickets.withLock { tickets in
            tickets = tickets.filter { $0.value.end > now }
            if tickets.count >= Self.limit { tickets = [:] }
            tickets[ticket] = (entry, now + Self.lifetime)
        }
        return ticket
    }

    func take(_ ticket: String) -> PageEntry? {
        guard let found = tickets.withLock({ $0.removeValue(forKey: ticket) }), found.end > .now else { return nil }
        return found.entry
    }
}
