import Core

/// A session's output in memory; what stands before `first` reads as zeros.
struct MemoryLog: SessionLog {
    let bytes: [UInt8]
    let first: Int
    /// The timeline, page by page.
    var pages: [[SessionLogEvent]] = []

    init(_ text: String) {
        self.init(Array(text.utf8))
    }

    init(_ text: String, firstOffset: Int) {
        bytes = Array(text.utf8).enumerated().map { $0 < firstOffset ? 0 : $1 }
        first = firstOffset
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        first = 0
    }

    func firstOffset() -> UInt64 { UInt64(first) }

    func endOffset() -> UInt64 { UInt64(bytes.count) }

    func read(from offset: UInt64, limit: Int) -> [UInt8] {
        Array(bytes.dropFirst(Int(offset)).prefix(limit))
    }

    func offset(at time: Timestamp) -> UInt64 { endOffset() }

    func events(from position: UInt64) -> SessionLogPage {
        guard position < pages.count else { return SessionLogPage([], next: position) }
        return SessionLogPage(pages[Int(position)], next: position + 1)
    }
}
