import Core
import Synchronization

/// Diagnostics that record notes and ignore details.
package final class RecordedNotes: Diagnostics {
    private let notes = Mutex<[String]>([])

    package init() {}

    package var all: [String] { notes.withLock { $0 } }

    package func note(_ message: String) { notes.withLock { $0.append(message) } }

    package func detail(_ message: @autoclosure () -> String) {}
}
