/// The attributes of a screen row other than its cells.
struct Line {
    /// The position of the row's cells, counted in rows; negative until something is written.
    var slot: Int32 = -1
    /// The column from which on all cells are blank.
    var extent: Int32 = 0
    var flags: LineFlags = []
    /// Whether something has been written or erased since the row was last reported.
    var isChanged = false
    /// On a traced screen, whether the words that continue in an adjacent row have yet to be collected.
    var isJoinDue = false
    /// The hash of the text last reported to a watch for the line that starts here; 0 if none since the row was reset.
    var given: UInt32 = 0
}
