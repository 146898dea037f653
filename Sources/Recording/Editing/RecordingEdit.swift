/// A transformation of a recording, item by item.
package protocol RecordingEdit {
    /// Processes the next item, and appends the resulting items available so far to `result`, header first.
    mutating func consume(_ item: RecordingItem, into result: inout [RecordingItem])

    /// Appends the remaining items, after the last item has been processed.
    mutating func finish(into result: inout [RecordingItem])
}

extension RecordingEdit {
    package mutating func finish(into result: inout [RecordingItem]) {}
}
