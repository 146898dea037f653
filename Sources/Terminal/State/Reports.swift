/// What a terminal has for its surroundings.
struct Reports: Sendable {
    var answers: [UInt8] = []
    var bells = 0
    var clipboard: ClipboardRequest?
    /// How many cells were summed up for checksums since answers were taken.
    var summedCells = 0

    /// What is not taken is not added to beyond this.
    static let answerLimit = 64 << 10
    /// A program that asks for more, and does not wait for the answers, gets none: each costs the time of a whole screen.
    static let summedCellLimit = 4 << 20
}
