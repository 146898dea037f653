import Core

/// Merges output events that are close in time.
///
/// An output event absorbs those within a time span after it. Other events are unchanged.
package struct QuantizeEdit: RecordingEdit {
    private let span: RecordingTime
    private var open: RecordingEvent?

    /// The data of a merged event exceeds this by at most one event.
    private static let byteLimit = 1 << 20

    package init(span: RecordingTime) {
        self.span = span
    }

    package mutating func take(
        _ item: RecordingItem,
        emit: (RecordingItem) throws(VTError) -> Void
    ) throws(VTError) {
        guard case .event(let event) = item, event.code == "o" else {
            try finish(emit: emit)
            return try emit(item)
        }
        if var first = open, event.time - first.time < span, first.data.count < Self.byteLimit {
            // Moved out while it changes, so that its bytes are not copied.
            open = nil
            first.data += event.data
            open = first
        } else {
            try finish(emit: emit)
            open = event
        }
    }

    package mutating func finish(emit: (RecordingItem) throws(VTError) -> Void) throws(VTError) {
        if let open { try emit(.event(open)) }
        open = nil
    }
}
