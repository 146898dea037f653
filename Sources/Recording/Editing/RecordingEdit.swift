import Core

/// Changes a recording as it goes by: items in, items out.
package protocol RecordingEdit {
    /// Takes the next item, and calls `emit` with those of the result that are known now: its header first.
    mutating func take(_ item: RecordingItem, emit: (RecordingItem) throws(VTError) -> Void) throws(VTError)

    /// Calls `emit` with what is left after the last item.
    mutating func finish(emit: (RecordingItem) throws(VTError) -> Void) throws(VTError)
}

/// Leaves a recording as it is.
package struct NoEdit: RecordingEdit {
    package init() {}

    package mutating func take(
        _ item: RecordingItem,
        emit: (RecordingItem) throws(VTError) -> Void
    ) throws(VTError) {
        try emit(item)
    }

    package mutating func finish(emit: (RecordingItem) throws(VTError) -> Void) {}
}
