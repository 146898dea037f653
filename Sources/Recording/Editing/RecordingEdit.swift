import Core

/// A transformation of a recording, item by item.
package protocol RecordingEdit {
    /// Processes the next item, and calls `emit` for the resulting items available so far, header first.
    mutating func take(_ item: RecordingItem, emit: (RecordingItem) throws(VTError) -> Void) throws(VTError)

    /// Calls `emit` for the remaining items, after the last item has been processed.
    mutating func finish(emit: (RecordingItem) throws(VTError) -> Void) throws(VTError)
}

/// Leaves a recording unchanged.
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
