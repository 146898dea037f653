import Core

/// A session's timeline in memory, page by page, without output.
struct MemoryLog: SessionLog {
    var pages: [[SessionLogEvent]] = []

    func firstOffset() -> UInt64 { 0 }

    func endOffset() -> UInt64 { 0 }

    func read(from offset: UInt64, limit: Int) -> [UInt8] { [] }

    func offset(at time: Timestamp) -> UInt64 { 0 }

    func events(from position: UInt64) -> SessionLogPage {
        guard position < pages.count else { return SessionLogPage([], next: position) }
        return SessionLogPage(pages[Int(position)], next: position + 1)
    }
}
