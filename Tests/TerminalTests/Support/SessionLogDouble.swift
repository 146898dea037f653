import Core

/// The log of a session in memory.
struct SessionLogDouble: SessionLog {
    var bytes: [UInt8] = []
    /// The bytes before this offset read as zeros.
    var first = 0
    private var events: [SessionLogEvent] = []

    init(_ size: String? = nil) throws(VTError) {
        if let size { try resize(size) }
    }

    mutating func write(_ text: String) {
        write(Array(text.utf8))
    }

    mutating func write(_ more: [UInt8]) {
        bytes += more
        events.append(SessionLogEvent(time: 0, .output(end: UInt64(bytes.count))))
    }

    mutating func resize(_ size: String) throws(VTError) {
        events.append(SessionLogEvent(time: 0, .resize(try TerminalSize(parsing: size))))
    }

    var end: UInt64 { UInt64(bytes.count) }

    func firstOffset() -> UInt64 { UInt64(first) }

    func endOffset() -> UInt64 { end }

    func read(from offset: UInt64, limit: Int) -> [UInt8] {
        let start = min(Int(offset), bytes.count)
        return (start..<min(start + limit, bytes.count)).map { $0 < first ? 0 : bytes[$0] }
    }

    func offset(at time: Timestamp) -> UInt64 { end }

    /// Returns a few events at a time, as a log file does.
    func events(from position: UInt64) -> SessionLogPage {
        let some = events.dropFirst(Int(position)).prefix(3)
        return SessionLogPage(Array(some), next: position + UInt64(some.count))
    }
}
