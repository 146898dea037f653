/// The part of a session to record, the format, and the header.
package struct RecordRequest: Hashable, Sendable {
    package var format = RecordingFormat.v3
    /// The start of the part to record; nil means the start of the retained output.
    package var start: RecordingPosition?
    /// The end of the part to record; nil means the current end of the output.
    package var end: RecordingPosition?
    /// Whether to continue until the session ends.
    package var follows = false
    /// Whether to include typed input, which is available only for sessions that log it.
    package var includesInput = false
    package var title: String?
    /// The maximum pause during playback, to be stored in the header.
    package var idleLimit: Duration?
    /// The name of the theme to store in the header; nil for none.
    package var theme: String?
    /// The maximum number of bytes to write.
    package var limitBytes: Int64?

    package init() {}
}
