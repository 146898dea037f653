import Core

/// The result of waiting for a condition.
package struct WaitOutcome: Hashable, Sendable {
    package var session: Session
    /// The condition that was met.
    package var condition: WaitCondition.Kind
    /// The offset after the match or the prompt; for other conditions, the end of the output, with which they are met.
    package var offset: UInt64
    /// The expression that matched, or the text that is shown or not.
    package var expression: String?
    /// The part of the line that matched.
    package var match: String?
    /// The matching line, or the part of it that was available; for a title, all of it.
    package var line: String?
    /// The screen row in which the line or the text starts, counted from 0 and negative above the screen; nil if the line
    /// is not on the screen.
    package var row: Int?
    /// The column in which the text on the screen starts, counted from 0.
    package var column: Int?
    /// The number of cells of the text.
    package var width: Int?
    /// The text that was found on the screen or in the title.
    package var text: String?
    /// The exit status of the command before a prompt, if the shell reported it.
    package var commandExit: Int?
    package var elapsed: Duration
    /// The output after the echo of the input, if input was sent at the start.
    package var output: Range<UInt64>?

    package init(_ session: Session, _ condition: WaitCondition.Kind, offset: UInt64, elapsed: Duration) {
        self.session = session
        self.condition = condition
        self.offset = offset
        self.elapsed = elapsed
    }
}
