import Core
import Synchronization

/// Tickets to download a recording, each valid once and for a minute, and no longer than its link.
final class PageTickets: Sendable {
    struct Ticket: Sendable {
        let entry: PageEntry
        /// What the page that requested it may do.
        let access: PageAccess
        fileprivate let text: String
        fileprivate let end: ContinuousClock.Instant
    }

    private static let lifetime = Duration.seconds(60)
    /// The number of unused tickets of a link, beyond which the oldest is not valid any more.
    private static let limit = 16

    private let tickets = Mutex<[Ticket]>([])

    func make(for entry: PageEntry, _ access: PageAccess) -> String {
        let now = ContinuousClock.now
        let ticket = Ticket(entry: entry, access: access, text: RandomIdentifier.make(), end: now + Self.lifetime)
        tickets.withLock { tickets in
            tickets.removeAll { $0.end <= now }
            let ofLink = tickets.indices.filter { tickets[$0].access.link == access.link }
            if ofLink.count >= Self.limit { tickets.remove(at: ofLink[0]) }
            tickets.append(ticket)
        }
        return ticket.text
    }

    func take(_ text: String) -> Ticket? {
        tickets.withLock { tickets in
            guard let index = tickets.firstIndex(where: { $0.text == text }) else { return nil }
            let ticket = tickets.remove(at: index)
            return ticket.end > .now ? ticket : nil
        }
    }
}
