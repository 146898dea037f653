import Recording

/// How to play a recording.
package struct PlayRequest: Hashable, Sendable {
    /// The speed relative to the recording; nil means without pauses.
    package var speed: Double? = 1
    /// The maximum pause; nil means the recording's own limit.
    package var idleLimit: Duration?
    package var start: RecordingPosition?
    package var end: RecordingPosition?
    /// Whether to pause at markers until a key is pressed.
    package var pausesAtMarkers = false
    /// Whether to restart at the end.
    package var loops = false

    package init() {}
}

/// How playback ended.
package enum PlayEnd: Hashable, Sendable {
    case ended
    /// A key that quits was pressed.
    case quit
    /// The interrupt key was pressed.
    case interrupted
}
