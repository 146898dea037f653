/// The position of the next character, counted from 0.
struct Cursor: Hashable, Sendable {
    var x = 0
    var y = 0
    /// Whether the last column has been written, so the next character starts a new row.
    var isWrapPending = false
}

/// The shape of the cursor, numbered as in DECSCUSR.
package enum CursorShape: Int, Sendable {
    case standard, blinkingBlock, block, blinkingUnderline, underline, blinkingBar, bar
}

/// The state saved by DECSC for DECRC.
struct SavedCursor: Hashable, Sendable {
    var cursor = Cursor()
    var pen = Style.plain
    var sets = CharacterSets()
    var isOrigin = false
}
