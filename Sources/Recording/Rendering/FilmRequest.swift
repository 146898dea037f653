import Core

/// What part of a recording becomes a film, and how fast it goes.
package struct FilmRequest: Sendable {
    /// Nil: from the start.
    package var from: RecordingPosition?
    /// Nil: to the end.
    package var to: RecordingPosition?
    /// The size of the terminal; nil: as it was recorded.
    package var size: TerminalSize?
    package var speed = 1.0
    /// Pauses are no longer than this; nil: what the header says, else five seconds.
    package var idleLimit: Duration?
    package var framesPerSecond = 30
    /// How long the last frame stays.
    package var hold = Duration.seconds(3)

    package init() {}
}
