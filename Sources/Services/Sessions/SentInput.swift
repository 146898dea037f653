/// Input that has been written to a session's terminal.
package struct SentInput: Hashable, Sendable {
    /// The end of the output before the input; nil on a machine without stable offsets.
    package var offset: UInt64?
    /// Whether the input was not shown, as with a password.
    package var isHidden = false
}
