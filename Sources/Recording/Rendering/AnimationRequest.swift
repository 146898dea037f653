import Core

/// The part of a recording to convert to an animation, and the speed of the animation.
package struct AnimationRequest: Sendable {
    /// The start of the part; nil means the start of the recording.
    package var from: RecordingPosition?
    /// The end of the part; nil means the end of the recording.
    package var to: RecordingPosition?
    /// The size of the terminal; nil means the recorded size.
    package var size: TerminalSize?
    package var speed = 1.0
    /// The maximum pause; nil means the limit in the header, or five seconds.
    package var idleLimit: Duration?
    package var framesPerSecond = 30
    /// How long the last frame is shown after the end of the part.
    package var hold = Duration.seconds(3)

    package init() {}
}
