/// Removes output events that arrive twice shortly after a subscription: while a server reads the history of a session,
/// it can already send the events that are being added to it.
///
/// Events that repeat the last ones since the subscription, without a gap and in the same order, are held until it is
/// known whether they repeat them up to the end.
struct OverlapFilter: Sendable {
    struct Result: Hashable, Sendable {
        var events: [[UInt8]] = []
        /// Whether repeated events were removed; a server repeats them only once.
        var isRemoved = false
        /// Whether events that were passed on could also be repetitions.
        var isUncertain = false
    }

    /// The latest events since the subscription, with their lengths.
    private var recent: [(hash: Int, count: Int)] = []
    /// The indexes in `recent` at which the held events can begin.
    private var starts: [Int] = []
    private var held: [[UInt8]] = []

    /// The number of events that are compared.
    private static let limit = 1024
    /// Less output than this can be the same by chance, such as the echo of a key that is pressed twice.
    private static let leastBytes = 16
    /// A single event that is shorter can be the same by chance, such as a message that is printed every second.
    private static let leastEventBytes = 128

    mutating func begin() {
        self = OverlapFilter()
    }

    mutating func consume(_ event: [UInt8]) -> Result {
        let hash = event.hashValue
        let next = starts.filter {
            recent[$0 + held.count].hash == hash && recent[$0 + held.count].count == event.count
        }
        guard !next.isEmpty else {
            var result = release()
            guard held.isEmpty, let start = begin(with: event, hash) else {
                add(event, hash)
                result.events.append(event)
                return result
            }
            starts = start
            held = [event]
            return complete(result)
        }
        starts = next
        held.append(event)
        return complete(Result())
    }

    /// Passes on the held events, because nothing follows for now.
    mutating func settle() -> Result {
        release()
    }

    /// The indexes of equal events; nil if there are none.
    private func begin(with event: [UInt8], _ hash: Int) -> [Int]? {
        let found = recent.indices.filter { recent[$0].hash == hash && recent[$0].count == event.count }
        return found.isEmpty ? nil : found
    }

    /// Drops the held events if they repeat the last ones up to the end.
    private mutating func complete(_ result: Result) -> Result {
        guard starts.contains(where: { $0 + held.count == recent.count }) else { return result }
        var result = result
        let bytes = held.reduce(0) { $0 + $1.count }
        if starts.count == 1, bytes >= (held.count > 1 ? Self.leastBytes : Self.leastEventBytes) {
            (starts, held) = ([], [])
            result.isRemoved = true
            return result
        }
        result.isUncertain = held.count > 1 && bytes >= Self.leastEventBytes
        let released = release()
        result.events += released.events
        return result
    }

    private mutating func release() -> Result {
        let events = held
        (starts, held) = ([], [])
        for event in events { add(event, event.hashValue) }
        return Result(events: events)
    }

    private mutating func add(_ event: [UInt8], _ hash: Int) {
        if recent.count >= Self.limit { recent.removeFirst(Self.limit / 2) }
        recent.append((hash, event.count))
    }
}
