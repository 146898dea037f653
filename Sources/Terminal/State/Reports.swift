/// Data that a terminal has for its caller.
struct Reports: Sendable {
    var answers: [UInt8] = []
    var bells = 0
    var clipboard: ClipboardRequest?
    /// The number of cells added up for checksums since replies were last taken.
    var summedCells = 0

    /// The maximum size of pending replies; further ones are dropped.
    static let answerLimit = 64 << 10
    /// Beyond this, checksum queries are not answered until replies are taken: each takes as long as reading the whole
    /// screen.
    static let summedCellLimit = 4 << 20
}
