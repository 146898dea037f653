/// An item that a reader returns: the header first, then events.
package enum RecordingItem: Hashable, Sendable {
    case header(RecordingHeader)
    case event(RecordingEvent)
}
