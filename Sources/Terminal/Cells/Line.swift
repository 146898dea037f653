/// What is known of a row of a screen beside its cells.
struct Line {
    /// Where the cells of the row are, as a count of rows; negative while nothing was written in it.
    var slot: Int32 = -1
    /// Cells from here on are blank.
    var extent: Int32 = 0
    var flags: LineFlags = []
    /// Something was written or erased since the row was looked at.
    var isChanged = false
    /// What text a watch was given of the line that begins here; 0 for none, or none since the row is new.
    var given: UInt32 = 0
}

/// How a row follows its neighbours, how it is shown, and what began on it.
struct LineFlags: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// The next row goes on with the same line of text.
    static let wrapped = LineFlags(rawValue: 1)
    /// Characters of double width (DECDWL), or half of those of double height (DECDHL).
    static let doubleWidth = LineFlags(rawValue: 1 << 1)
    static let upperHalf = LineFlags(rawValue: 1 << 2)
    static let lowerHalf = LineFlags(rawValue: 1 << 3)
    /// OSC 133: a prompt, what is typed at it, the output of the command, and the end of it.
    static let prompt = LineFlags(rawValue: 1 << 4)
    static let input = LineFlags(rawValue: 1 << 5)
    static let output = LineFlags(rawValue: 1 << 6)
    static let end = LineFlags(rawValue: 1 << 7)

    static let size: LineFlags = [.doubleWidth, .upperHalf, .lowerHalf]
    static let marks: LineFlags = [.prompt, .input, .output, .end]
}
