import Arguments
import Core
import Services
import Synchronization

/// Prints the events of a server, which must not wait for the reader of its output.
final class PageEventOutput: Sendable {
    private let context: Context
    /// The number of events that could not be printed since the last one that could.
    private let dropped = Mutex(0)

    init(_ context: Context) {
        self.context = context
    }

    func show(_ event: PageEvent) throws(VTError) {
        guard context.global.json else {
            if let url = event.url { try context.output.text(url) }
            return
        }
        // The link is printed in any case.
        guard event.url == nil else { return try context.output.jsonLine(event) }
        try dropped.withLock { count throws(VTError) in
            let missing = count > 0 ? [PageEvent(kind: .dropped, count: count)] : []
            count = try context.output.offerLines(missing + [event]) ? 0 : count + 1
        }
    }
}
