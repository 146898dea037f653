/// Finds output events that may arrive twice shortly after a subscription: while a server reads the history of a
/// session, it can already send the events that are being added to it, so that the last ones come again, in order.
///
/// They look like output that the program has written twice. Only another history, which has each event once, shows
/// which of both it is.
struct OverlapFilter: Sendable {
    enum Result: Hashable, Sendable {
        /// These events are not repetitions.
        case passed([[UInt8]])
        /// The latest events, some of which have been held, are equal to those before them.
        case repetition
    }

    /// The hashes of the latest events since the subscription.
    private var recent: [Int] = []
    /// The indexes in `recent` at which the held events can begin.
    private var starts: [Int] = []
    /// Events that repeat others, as long as it is not known whether they repeat them up to the last one.
    private var held: [[UInt8]] = []

    /// The number of events that are compared.
    private static let limit = 1024

    mutating func consume(_ event: [UInt8]) -> Result {
        let hash = Self.hash(event)
        starts = starts.filter { recent[$0 + held.count] == hash }
        var passed: [[UInt8]] = []
        if starts.isEmpty {
            passed = release()
            starts = recent.indices.filter { recent[$0] == hash }
        }
        guard !starts.isEmpty else {
            add(hash)
            return .passed(passed + [event])
        }
        held.append(event)
        return starts.contains { $0 + held.count == recent.count } ? .repetition : .passed(passed)
    }

    /// Returns the held events, which are no repetitions because nothing follows for now.
    mutating func release() -> [[UInt8]] {
        defer { (starts, held) = ([], []) }
        for event in held { add(Self.hash(event)) }
        return held
    }

    private mutating func add(_ hash: Int) {
        if recent.count >= Self.limit { recent.removeFirst(Self.limit / 2) }
        recent.append(hash)
    }

    private static func hash(_ event: [UInt8]) -> Int {
        var hasher = Hasher()
        unsafe event.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
