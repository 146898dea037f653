/// The attributes of a screen row other than its cells.
struct Line {
    /// The position of the row's cells in `Grid.cells`, in units of rows; negative until something is written.
    var slot: Int32 = -1
    /// The first column from which all cells are blank.
    var extent: Int32 = 0
    var flags: LineFlags = []
    /// Whether something has been written or erased since the row was last reported.
    var isChanged = false
    /// On a traced screen, whether the words that continue in an adjacent row have yet to be collected.
    var isJoinDue = false
    /// The hash of the text last reported to a watch for the line that starts here; 0 if none since the row was reset.
    var given: UInt32 = 0
}

/// How a row relates to its neighbors, how it is displayed, and what starts on it.
struct LineFlags: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// The line of text continues on the next row.
    static let wrapped = LineFlags(rawValue: 1)
    /// The row shows characters of double width (DECDWL), or one half of characters of double height (DECDHL).
    static let doubleWidth = LineFlags(rawValue: 1 << 1)
    static let upperHalf = LineFlags(rawValue: 1 << 2)
    static let lowerHalf = LineFlags(rawValue: 1 << 3)
    /// Marks set by OSC 133: the start of a prompt, of the input, and of a command's output, and the end of a command.
    static let prompt = LineFlags(rawValue: 1 << 4)
    static let input = LineFlags(rawValue: 1 << 5)
    static let output = LineFlags(rawValue: 1 << 6)
    static let end = LineFlags(rawValue: 1 << 7)

    static let size: LineFlags = [.doubleWidth, .upperHalf, .lowerHalf]
    static let marks: LineFlags = [.prompt, .input, .output, .end]
}
