/// Setting, saving and querying modes.
extension Emulator {
    mutating func setModes(_ isSet: Bool, isPrivate: Bool) {
        for index in 0..<parser.sequence.count {
            guard let number = parser.sequence.value(index) else { continue }
            if isPrivate {
                setPrivate(number, isSet)
            } else if let mode = Mode(number, isPrivate: false) {
                modes[mode] = isSet
            }
        }
    }

    private mutating func setPrivate(_ number: Int, _ isSet: Bool) {
        switch number {
        case 47, 1047: switchScreen(isSet, clearing: number == 1047 && !isSet)
        case 1048: if isSet { saveCursor() } else { restoreCursor() }
        case 1049: switchScreenAndCursor(isSet)
        default:
            guard let mode = Mode(number, isPrivate: true) else { return }
            if mode == .nationalSets, modes[mode] != isSet { encoding.enableNationalSets(isSet) }
            modes[mode] = isSet
            follow(mode, isSet)
        }
    }

    /// Performs the side effects of setting or resetting a mode.
    private mutating func follow(_ mode: Mode, _ isSet: Bool) {
        switch mode {
        case .origin: move(toRow: 0, column: 0)
        case .leftRightMargins:
            (region.left, region.right) = (0, columns)
            keepWaitOnlyAtEdge()
            if isSet { for y in 0..<rows { grid.lines[y].flags.subtract(.size) } }
        case .applicationKeypad: keypadIsApplication = isSet
        case .mouseX10, .mouseButtons, .mouseHighlight, .mouseDrag, .mouseMotion:
            choose(mode, isSet, among: [.mouseX10, .mouseButtons, .mouseHighlight, .mouseDrag, .mouseMotion])
        case .mouseUTF8, .mouseSGR, .mouseURXVT, .mousePixels:
            choose(mode, isSet, among: [.mouseUTF8, .mouseSGR, .mouseURXVT, .mousePixels])
        case .graphemes: join = .moved
        case .columns132: if modes[.allowColumns132] { clearForColumns() }
        case .synchronized:
            guard isOneRowLog, !isAlternate else { break }
            collected.update = isSet ? (grid, collected.text.count) : nil
        case .sizeNotes: if isSet { answerSizeNote() }
        default: break
        }
    }

    /// Handles mutually exclusive modes: only the mode set last is active.
    private mutating func choose(_ mode: Mode, _ isSet: Bool, among all: [Mode]) {
        for each in all { modes[each] = isSet && each == mode }
    }

    /// DECCOLM: clears the screen and resets the margins, but does not change the size.
    private mutating func clearForColumns() {
        region = Region(columns: columns, rows: rows)
        eraseDisplay(2, selective: false)
        cursor = Cursor()
    }

    // MARK: - Main and alternate screen

    private mutating func switchScreen(_ toAlternate: Bool, clearing: Bool) {
        guard toAlternate != isAlternate else { return }
        leaveScreen()
        if clearing {
            for y in 0..<rows { grid.clear(y, .blank) }
            cursor.isWrapPending = false
        }
        var shown = otherGrid ?? Grid(columns: columns, rows: rows)
        swap(&grid, &shown)
        otherGrid = shown
        swap(&saved, &otherSaved)
        swap(&keyboard, &otherKeyboard)
        isAlternate = toAlternate
        keepWaitOnlyAtEdge()
    }

    /// Mode 1049: saves the cursor and clears the alternate screen when switching to it; restores the cursor when
    /// switching back.
    private mutating func switchScreenAndCursor(_ toAlternate: Bool) {
        if toAlternate {
            if !isAlternate { saveCursor() }
            switchScreen(true, clearing: false)
            for y in 0..<rows { grid.clear(y, blank) }
            cursor.isWrapPending = false
        } else {
            switchScreen(false, clearing: false)
            restoreCursor()
        }
    }

    // MARK: - XTSAVE and XTRESTORE

    mutating func saveModes() {
        for index in 0..<parser.sequence.count {
            guard let number = parser.sequence.value(index), let isSet = isPrivateSet(number) else { continue }
            savedModes[number] = isSet
        }
    }

    mutating func restoreModes() {
        for index in 0..<parser.sequence.count {
            guard let number = parser.sequence.value(index), let isSet = savedModes[number] else { continue }
            setPrivate(number, isSet)
        }
    }

    /// Whether a private mode is set; nil for an unknown mode, and for 1048, which has no state.
    private func isPrivateSet(_ number: Int) -> Bool? {
        switch number {
        case 47, 1047, 1049: isAlternate
        case 1048: nil
        default: Mode(number, isPrivate: true).map { modes[$0] }
        }
    }

    /// DECRQM: reports 0 for an unknown mode, 1 for set, 2 for reset, and 4 for permanently reset.
    ///
    /// Mode 2027 is not reported: the attached terminal may segment characters differently.
    mutating func answerMode(_ number: Int, isPrivate: Bool) {
        let mark = isPrivate ? "?" : ""
        let isSet: Bool? =
            switch (isPrivate, number) {
            case (true, Mode.graphemes.number): nil
            case (true, _): isPrivateSet(number)
            case (false, _): Mode(number, isPrivate: false).map { modes[$0] }
            }
        let unset = !isPrivate && Self.modesWithoutEffect.contains(number) ? 4 : 0
        let state = isSet.map { $0 ? 1 : 2 } ?? unset
        answer("\u{1B}[\(mark)\(number);\(state)$y")
    }

    /// Modes of ECMA-48 §7.2 that are permanently reset, as reported by xterm: GATM, SRTM, VEM, HEM, PUM, FEAM, FETM,
    /// MATM, TTM, SATM, TSM and EBM.
    private static let modesWithoutEffect: Set<Int> = [1, 5, 7, 10, 11, 13, 14, 15, 16, 17, 18, 19]
}
