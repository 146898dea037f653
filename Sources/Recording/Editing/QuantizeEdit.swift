import Core

/// Joins output that came at nearly the same time.
///
/// An event of output takes in those that come within a span after it. Any other event stays as it is and where it is.
package struct QuantizeEdit: RecordingEdit {
    private let span: RecordingTime
    private var open: RecordingEvent?

    /// The data of a joined event are longer than this by one event at most.
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
            // Taken out while it changes, so that its bytes are not copied.
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
