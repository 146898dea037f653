/// Merges output events that are close in time.
///
/// The output events that follow an output event within a time span are merged into it. Other events are unchanged.
package struct QuantizeEdit: RecordingEdit {
    private let span: RecordingTime
    private var open: RecordingEvent?

    /// The size of a merged event, in bytes, at which no further output is added.
    private static let byteLimit = 1 << 20

    package init(span: RecordingTime) {
        self.span = span
    }

    package mutating func consume(_ item: RecordingItem, into result: inout [RecordingItem]) {
        guard case .event(let event) = item, event.code == "o" else {
            finish(into: &result)
            return result.append(item)
        }
        if var first = open, event.time - first.time < span, first.data.count < Self.byteLimit {
            // The event is moved out of `open` while it is changed, so that its bytes are not copied.
            open = nil
            first.data += event.data
            open = first
        } else {
            finish(into: &result)
            open = event
        }
    }

    package mutating func finish(into result: inout [RecordingItem]) {
        if let open { result.append(.event(open)) }
        open = nil
    }
}
