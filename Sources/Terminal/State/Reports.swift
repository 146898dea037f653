/// Replies and requests that a terminal keeps until its caller takes them.
struct Reports: Sendable {
    var answers: [UInt8] = []
    var clipboard: ClipboardRequest?
    /// The number of cells added up for checksums since replies were last taken.
    var summedCells = 0

    /// The maximum size of pending replies, in bytes; further replies are dropped.
    static let answerLimit = 64 << 10
    /// The maximum number of cells added up for checksums.
    ///
    /// Beyond it, checksum queries are not answered until replies are taken, because each query can take as long as
    /// reading the whole screen.
    static let summedCellLimit = 4 << 20
}

/// A program's request to set the clipboard (OSC 52).
package struct ClipboardRequest: Hashable, Sendable {
    /// The letters of the selections, such as `c` and `p`.
    package var selections: String
    package var content: [UInt8]
}
