/// The attributes of a screen row, whose cells are in `Grid.cells`.
struct Line {
    /// The position of the row's cells in `Grid.cells`, in units of rows; negative until something is written.
    var slot: Int32 = -1
    /// All cells from this column on are blank.
    var extent: Int32 = 0
    var flags: LineFlags = []
    /// Whether something has been written or erased since the row was last reported.
    var isChanged = false
    /// On a traced screen, whether the words that continue in an adjacent row have yet to be collected.
    var isJoinDue = false
    /// The hash of the text that a watch last reported for the line that starts here; 0 if the row has been reset
    /// since.
    var given: UInt32 = 0
}

/// How a row relates to its neighbors, how it is displayed, and what starts on it.
struct LineFlags: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// The line of text continues on the next row.
    static let wrapped = LineFlags(rawValue: 1)
    /// The row shows double-width characters (DECDWL); also set in rows of double height.
    static let doubleWidth = LineFlags(rawValue: 1 << 1)
    /// The row shows the upper half of double-height characters (DECDHL).
    static let upperHalf = LineFlags(rawValue: 1 << 2)
    /// The row shows the lower half of double-height characters (DECDHL).
    static let lowerHalf = LineFlags(rawValue: 1 << 3)
    /// A prompt starts here (OSC 133;A).
    static let prompt = LineFlags(rawValue: 1 << 4)
    /// The prompt is complete here, and input starts (OSC 133;B).
    static let input = LineFlags(rawValue: 1 << 5)
    /// A command's output starts here (OSC 133;C).
    static let output = LineFlags(rawValue: 1 << 6)
    /// A command has ended here (OSC 133;D).
    static let end = LineFlags(rawValue: 1 << 7)

    static let size: LineFlags = [.doubleWidth, .upperHalf, .lowerHalf]
    static let marks: LineFlags = [.prompt, .input, .output, .end]
}
