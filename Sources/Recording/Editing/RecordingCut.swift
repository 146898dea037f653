import Core

/// The part of a recording that was asked for, be it all of it: items in, items out.
package struct RecordingCut {
    /// Nil: all of it.
    private var edit: CutEdit?

    /// Nil: from the first event on, and to the last one; the event at `end` is behind the part.
    package init(from start: RecordingPoint?, to end: RecordingPoint?) {
        guard start != nil || end != nil else { return }
        edit = CutEdit(from: start ?? RecordingPoint(time: .start), to: end, removes: false)
    }

    /// Whether what comes is behind the part.
    package var isOver: Bool { edit?.isOver ?? false }

    /// Takes the next item of the recording; returns what comes next in the part.
    package mutating func take(_ item: RecordingItem) throws(VTError) -> [RecordingItem] {
        guard edit != nil else { return [item] }
        var found: [RecordingItem] = []
        try edit?.take(item) { found.append($0) }
        return found
    }

    /// Returns what a part without events shows.
    package mutating func finish() throws(VTError) -> [RecordingItem] {
        var found: [RecordingItem] = []
        try edit?.finish { found.append($0) }
        return found
    }
}
