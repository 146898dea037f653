import Core

/// A terminal: bytes in, a screen out.
///
/// It does no input or output. What a terminal would send back is kept as data until it is taken; whether it is sent
/// is for the caller to say. A copy is a snapshot. No input makes it trap, and its memory is bounded by the size of
/// the screen and the limit of the scrollback.
package struct Emulator: Sendable {
    package private(set) var size: TerminalSize
    package internal(set) var modes = Modes()
    package internal(set) var title = ""
    package internal(set) var iconName = ""
    /// The working directory that the program told with OSC 7, as its URL.
    package internal(set) var workingDirectory: String?
    package internal(set) var cursorShape = CursorShape.standard
    /// What the marks of OSC 133 told last.
    package internal(set) var promptState = PromptState()
    package internal(set) var isAlternate = false
    package internal(set) var keypadIsApplication = false
    /// XTMODKEYS 4, modifyOtherKeys: 0, 1 or 2.
    package internal(set) var modifiedKeys = 0
    /// The colors of the terminal that shows this one, as far as they are known; programs that ask are told these.
    package var terminalColors = TerminalColors()
    /// The colors that the program has set.
    package internal(set) var colors = TerminalColors()

    var grid: Grid
    /// The screen that is not shown; nil until the alternate one is used.
    var otherGrid: Grid?
    var cursor = Cursor()
    var saved = SavedCursor()
    var otherSaved = SavedCursor()
    var region: Region
    var tabs: TabStops
    var protection = Protection.selective
    /// DECSACE 2: DECCARA and DECRARA change rectangles, not the text from one cell to another.
    var hasRectangularExtent = false
    var sets = CharacterSets()
    var pen = Style.plain
    /// The number of the pen in the table; nil while it is not looked up.
    var penNumber: UInt32? = 0
    var tables = CellTables()
    var scrollback: Scrollback
    var parser = Parser()
    var join = JoinState.moved
    /// The character that REP repeats.
    var lastScalar: UInt32?
    var savedModes: [Int: Bool] = [:]
    var keyboard = KeyboardFlags()
    var otherKeyboard = KeyboardFlags()
    var titles: [SavedTitles] = []
    var reports = Reports()
    var collected = CollectedLines()
    /// Where the next character comes from, for a terminal that is traced.
    var origin: CellOrigin?

    /// A terminal as it is switched on; the lines that leave its screen may take so much memory.
    package init(size: TerminalSize, scrollbackBytes: Int = 8 << 20) {
        self.size = size
        grid = Grid(columns: size.columns, rows: size.rows)
        region = Region(columns: size.columns, rows: size.rows)
        tabs = TabStops(columns: size.columns)
        scrollback = Scrollback(byteLimit: scrollbackBytes)
    }

    var columns: Int { grid.columns }
    var rows: Int { grid.rows }

    mutating func setSize(_ size: TerminalSize) {
        self.size = size
    }

    /// Forgets the sequence or character of which only the beginning has come.
    mutating func forgetUnfinished() {
        parser = Parser()
    }

    // MARK: - What the caller takes

    /// Returns what the terminal would have sent to the program since the last call.
    package mutating func takeAnswers() -> [UInt8] {
        defer {
            reports.answers = []
            reports.summedCells = 0
        }
        return reports.answers
    }

    /// Whether `takeAnswers` would return anything.
    var hasAnswers: Bool { !reports.answers.isEmpty }

    /// Returns how often the bell rang since the last call.
    package mutating func takeBells() -> Int {
        defer { reports.bells = 0 }
        return reports.bells
    }

    /// Returns what the program last wanted to have in the clipboard (OSC 52), if it did since the last call.
    package mutating func takeClipboard() -> ClipboardRequest? {
        defer { reports.clipboard = nil }
        return reports.clipboard
    }
}
