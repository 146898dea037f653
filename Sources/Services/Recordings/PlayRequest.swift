import Recording

/// How a recording is played.
package struct PlayRequest: Hashable, Sendable {
    /// How many times as fast as it was recorded; nil: without any pause.
    package var speed: Double? = 1
    /// The longest pause; nil: what the recording itself says.
    package var idleLimit: Duration?
    package var start: RecordingPosition?
    package var end: RecordingPosition?
    /// Whether a marker pauses it until a key is pressed.
    package var pausesAtMarkers = false
    /// Whether it begins again at its end.
    package var loops = false

    package init() {}
}

/// How playing ended.
package enum PlayEnd: Hashable, Sendable {
    case ended
    /// A key asked for the end.
    case quit
    /// The key that interrupts programs was pressed.
    case interrupted
}
