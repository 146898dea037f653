import Core

/// A terminal emulator that turns output bytes into a screen.
///
/// It performs no I/O. Replies to queries are kept until the caller takes them. A copy is a snapshot. No input can make
/// it trap, and its memory is bounded by the size of the screen and the scrollback limit.
package struct Emulator: Sendable {
    /// Which erase functions spare protected characters, depending on the sequence last used to set protection.
    enum Protection: UInt8, Sendable {
        /// DECSCA: DECSED, DECSEL and DECSERA spare them.
        case selective
        /// SPA and EPA (ECMA-48 §8.3.129 and §8.3.46): DECSED, DECSEL, ED, EL and ECH spare them.
        case guarded
    }

    /// The titles saved by XTWINOPS 22.
    struct SavedTitles: Hashable, Sendable {
        var title: String
        var iconName: String
    }

    package private(set) var size: TerminalSize
    package internal(set) var modes = Modes()
    package internal(set) var title = ""
    package internal(set) var iconName = ""
    /// The working directory reported with OSC 7, as a URL.
    package internal(set) var workingDirectory: String?
    package internal(set) var cursorShape = CursorShape.standard
    /// The state last reported with OSC 133.
    package internal(set) var promptState = PromptState()
    package internal(set) var isAlternate = false
    package internal(set) var keypadIsApplication = false
    /// Whether replies contain 8-bit C1 controls (S8C1T).
    var sendsC1 = false
    /// The value of modifyOtherKeys (XTMODKEYS 4): 0, 1 or 2.
    package internal(set) var modifiedKeys = 0
    /// Whether formatOtherKeys (XTFMTKEYS 4) is 1: modified keys are sent as `CSI u` sequences.
    var formatsKeysAsCSIu = false
    /// The known colors of the attached terminal, for replies to queries.
    package var terminalColors = TerminalColors()
    /// The colors set by the program.
    package internal(set) var colors = TerminalColors()

    var grid: Grid
    /// The screen that is not shown; nil until the alternate screen is first used.
    var otherGrid: Grid?
    var cursor = Cursor()
    var saved = SavedCursor()
    var otherSaved = SavedCursor()
    var region: Region
    var tabs: TabStops
    var protection = Protection.selective
    /// Whether DECCARA and DECRARA change a rectangle instead of a stream of text (DECSACE 2).
    var hasRectangularExtent = false
    var sets = CharacterSets()
    var encoding = TextEncoding()
    var pen = Style.plain
    /// The index of the pen's style; nil until it is looked up.
    var penNumber: UInt32? = 0
    var tables = CellTables()
    var scrollback: Scrollback
    var parser = Parser()
    var join = JoinState.moved
    /// The character that REP repeats.
    var lastScalar: UInt32?
    var savedModes: [Int: Bool] = [:]
    var keyboard = KeyboardStack()
    var otherKeyboard = KeyboardStack()
    var titles: [SavedTitles] = []
    var reports = Reports()
    var collected = CollectedLines()

    /// Creates a terminal in its initial state; `scrollbackBytes` limits the memory used by the scrollback.
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

    /// Discards an incomplete sequence or character.
    mutating func forgetUnfinished() {
        parser = Parser()
    }

    // MARK: - Output for the caller

    /// Returns the replies to the program since the last call.
    package mutating func takeAnswers() -> [UInt8] {
        defer {
            reports.answers = []
            reports.summedCells = 0
        }
        return reports.answers
    }

    /// Whether `takeAnswers` would return any bytes.
    var hasAnswers: Bool { !reports.answers.isEmpty }

    /// Returns the program's last clipboard request (OSC 52) since the last call, if any.
    package mutating func takeClipboard() -> ClipboardRequest? {
        defer { reports.clipboard = nil }
        return reports.clipboard
    }
}
