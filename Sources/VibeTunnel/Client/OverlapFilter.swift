/// Finds output events that may arrive twice shortly after a subscription: while a server reads the history of a
/// session, it can already send the events that are being added to it, so that the last ones come again, in order.
///
/// They look like output that the program has written twice. Only another history, which has each event once, shows
/// which of both it is.
struct OverlapFilter: Sendable {
    struct Result: Hashable, Sendable {
        /// Events that are not repetitions.
        var passed: [[UInt8]] = []
        /// Whether the latest events, which are held, are equal to those before them.
        var isRepetition = false
    }

    /// The hashes of the latest events since the subscription, without those that are held.
    private var recent: [Int] = []
    /// The indexes in `recent` at which the events begin that the held ones repeat.
    private var starts: [Int] = []
    /// Events that repeat others, as long as it is not known whether they repeat them up to the last one.
    private(set) var held: [[UInt8]] = []

    /// The number of events that are compared.
    private static let limit = 1024

    mutating func consume(_ event: [UInt8]) -> Result {
        var result = Result()
        var rest = [event][...]
        while !result.isRepetition, let event = rest.popFirst() {
            if holds(event) {
                result.isRepetition = starts.contains { $0 + held.count == recent.count }
            } else if held.isEmpty {
                pass(event, to: &result)
            } else {
                // A repetition can begin at a later one of the held events.
                rest = held.dropFirst() + [event] + rest
                passFirst(to: &result)
            }
        }
        return result
    }

    /// Decides about the held events, because nothing follows that could be compared.
    mutating func release() -> Result {
        var result = Result()
        while !result.isRepetition, !held.isEmpty {
            var rest = held.dropFirst()
            passFirst(to: &result)
            while !result.isRepetition, let event = rest.popFirst() {
                let next = consume(event)
                result.passed += next.passed
                result.isRepetition = next.isRepetition
            }
        }
        return result
    }

    /// Holds an event if it continues a repetition, or can begin one.
    private mutating func holds(_ event: [UInt8]) -> Bool {
        let hash = ShownOutput.hash(event)
        let found =
            held.isEmpty
            ? recent.indices.filter { recent[$0] == hash } : starts.filter { recent[$0 + held.count] == hash }
        guard !found.isEmpty else { return false }
        starts = found
        held.append(event)
        return true
    }

    /// Passes on the first of the held events, and holds none of the others.
    private mutating func passFirst(to result: inout Result) {
        let first = held[0]
        (starts, held) = ([], [])
        pass(first, to: &result)
    }

    private mutating func pass(_ event: [UInt8], to result: inout Result) {
        if recent.count >= Self.limit { recent.removeFirst(Self.limit / 2) }
        recent.append(ShownOutput.hash(event))
        result.passed.append(event)
    }
}
