/// The position of the next character, from 0.
struct Cursor: Hashable, Sendable {
    var x = 0
    var y = 0
    /// Whether the last column has been written, so that the next character starts a new row.
    var isWrapPending = false
}
