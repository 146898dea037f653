/// Extracts a part of a recording, or all of it, item by item.
package struct RecordingCut: RecordingEdit {
    /// The edit that extracts the part; nil for the whole recording.
    private var edit: CutEdit?

    /// Nil means the start or end of the recording; the event at `end` is not part of the result.
    package init(from start: RecordingPoint? = nil, to end: RecordingPoint? = nil) {
        guard start != nil || end != nil else { return }
        edit = CutEdit(from: start ?? RecordingPoint(time: .start), to: end, removes: false)
    }

    /// Whether the part has begun.
    package var hasBegun: Bool { edit?.hasBegun ?? true }

    /// Whether the part has ended.
    package var isOver: Bool { edit?.isOver ?? false }

    package mutating func consume(_ item: RecordingItem, into result: inout [RecordingItem]) {
        guard edit?.consume(item, into: &result) == nil else { return }
        result.append(item)
    }

    package mutating func finish(into result: inout [RecordingItem]) {
        edit?.finish(into: &result)
    }

    /// Processes the next item of the recording; returns the next items of the part.
    package mutating func consume(_ item: RecordingItem) -> [RecordingItem] {
        var found: [RecordingItem] = []
        consume(item, into: &found)
        return found
    }

    /// Returns the remaining items: the header and the screen of a part without events.
    package mutating func finish() -> [RecordingItem] {
        var found: [RecordingItem] = []
        finish(into: &found)
        return found
    }
}
