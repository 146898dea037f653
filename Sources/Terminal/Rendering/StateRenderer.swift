import Core

/// Writes the sequences that put a new terminal of the same size into an emulator's state.
///
/// They restore both screens, modes, margins, tab stops, character sets, saved cursors, titles, the cursor, and finally
/// an incomplete sequence or character. They contain no queries. The mode for synchronized output is omitted, because
/// its end may never arrive.
package struct StateRenderer {
    private let emulator: Emulator
    private var writer = AnsiWriter()

    /// ASCII in G0 to G3, with G0 active.
    private static let plainSets = "\u{1B}(B\u{1B})B\u{1B}*B\u{1B}+B\u{0F}"

    private init(_ emulator: Emulator) {
        self.emulator = emulator
    }

    /// Returns the sequences; up to `scrollback` rows that have left the screen come first, so that they scroll off
    /// again.
    package static func render(_ emulator: Emulator, scrollback: Int = 0) -> [UInt8] {
        var renderer = StateRenderer(emulator)
        renderer.render(scrollback)
        return Array(renderer.writer.text.utf8) + emulator.parser.unfinished
    }

    private mutating func render(_ scrollback: Int) {
        // Terminate an open string, and clear the screen.
        writer.write("\u{1B}\\\u{1B}[m\u{1B}(B\u{0F}\u{1B}[r\u{1B}[H\u{1B}[2J")
        if emulator.modes[.nationalSets] {
            // DECNRCM comes before the national sets that it allows; text is written in UTF-8.
            writer.write("\(emulator.encoding.wasUTF8 ? "" : "\u{1B}%@")\u{1B}[?42h\u{1B}%G")
        }
        prompt()
        if scrollback > 0 { history(emulator.scrollbackRows(scrollback)) }
        if emulator.isAlternate {
            let main = emulator.otherGrid ?? Grid(columns: emulator.columns, rows: emulator.rows)
            rows(of: main)
            keyboard(emulator.otherKeyboard)
            saved(emulator.otherSaved, main, keeping: false)
            writer.control("?1049h")
            writer.forgetStyle()
            writer.write(Self.plainSets)
            if emulator.otherSaved.isOrigin { writer.control("?6l") }
        }
        rows(of: emulator.grid)
        texts()
        colors()
        margins()
        if emulator.saved != SavedCursor() {
            saved(emulator.saved, emulator.grid, keeping: true)
            writer.forgetStyle()
            writer.write(Self.plainSets)
            if emulator.saved.isOrigin { writer.control("?6l") }
        }
        modes()
        keyboard(emulator.keyboard)
        cursor()
        // Reset mode 2027 last, because characters written earlier may have been joined while it was set.
        if !emulator.modes[.graphemes] { writer.control("?2027l") }
        if !emulator.encoding.isUTF8 { writer.write("\u{1B}%@") }
    }

    // MARK: - Rows

    private mutating func history(_ rows: [ScreenRow]) {
        guard !rows.isEmpty else { return }
        for (index, row) in rows.enumerated() {
            _ = writer.cells(row.cells, gap: .spaces)
            writer.select(.plain, nil)
            guard !row.isWrapped || index == rows.count - 1 else { continue }
            // What makes the last row wrap is erased below.
            let width = row.cells.reduce(0) { $0 + $1.width }
            let isFull = row.isWrapped && emulator.columns - width <= 1
            writer.write(!isFull ? "\r\n" : width == emulator.columns ? " " : "\u{3000}")
        }
        // Scroll off the last of these rows without adding a blank one.
        writer.write(String(repeating: "\n", count: emulator.rows - 1) + "\u{1B}[H\u{1B}[2J")
    }

    /// Writes the rows of a screen; wrapped lines wrap in the terminal, too.
    private mutating func rows(of grid: Grid) {
        let rows = emulator.screenRows(grid)
        var flows = false
        for (y, row) in rows.enumerated() {
            let isBlank = row.cells.isEmpty && row.marks.isEmpty && row.size == .single
            if !isBlank, !flows { writer.control("\(y + 1)H") }
            marks(row)
            let end = writer.cells(row.size == .single ? row.cells : wholeCells(y, of: grid), gap: .skipped)
            size(row)
            let next = y + 1 < rows.count ? rows[y + 1] : nil
            let isFull = end == emulator.columns || (end == emulator.columns - 1 && next?.cells.first?.width == 2)
            flows = row.isWrapped && isFull && next != nil && row.size == .single
            if flows, let next, next.cells.first?.text.isEmpty != false || !next.marks.isEmpty || next.size != .single {
                // The line continues in an empty row.
                writer.select(.plain, nil)
                // Write a wide character only if one originally left the last column empty.
                writer.write(end == emulator.columns ? " \r\u{1B}[X" : "\u{3000}\r\u{1B}[2X")
            }
        }
        writer.select(.plain, nil)
    }

    /// The cells of a row, including those hidden while the row is double-width.
    private func wholeCells(_ y: Int, of grid: Grid) -> [ScreenCell] {
        Emulator.row(grid.wholeRow(y), grid.lines[y].flags, emulator.tables).cells
    }

    /// Sets the size of a row after its cells are written, so that the terminal hides the same cells.
    private mutating func size(_ row: ScreenRow) {
        switch row.size {
        case .single: break
        case .doubleWidth: writer.write("\u{1B}#6")
        case .doubleTop: writer.write("\u{1B}#3")
        case .doubleBottom: writer.write("\u{1B}#4")
        }
    }

    private mutating func marks(_ row: ScreenRow) {
        let marks: [(ScreenRow.PromptMarks, PromptState.Phase)] = [
            (.end, .ended), (.prompt, .prompt), (.input, .input), (.output, .output),
        ]
        for (mark, phase) in marks where row.marks.contains(mark) { write(phase) }
    }

    /// Restores the last reported prompt state, in case its marks are no longer on the screen.
    private mutating func prompt() {
        guard emulator.promptState.phase != .unknown else { return }
        if emulator.promptState.status != nil { write(.ended) }
        write(emulator.promptState.phase)
        // Erase the marks that these sequences have set on the row.
        writer.control("2J")
    }

    private mutating func write(_ phase: PromptState.Phase) {
        switch phase {
        case .unknown: break
        case .prompt: writer.write("\u{1B}]133;A\u{1B}\\")
        case .input: writer.write("\u{1B}]133;B\u{1B}\\")
        case .output: writer.write("\u{1B}]133;C\u{1B}\\")
        case .ended:
            let status = emulator.promptState.status.map { ";\($0)" } ?? ""
            writer.write("\u{1B}]133;D\(status)\u{1B}\\")
        }
    }

    // MARK: - State

    private mutating func texts() {
        if !emulator.iconName.isEmpty { writer.write("\u{1B}]1;\(emulator.iconName)\u{1B}\\") }
        if !emulator.title.isEmpty { writer.write("\u{1B}]2;\(emulator.title)\u{1B}\\") }
        if let directory = emulator.workingDirectory { writer.write("\u{1B}]7;\(directory)\u{1B}\\") }
    }

    /// The colors set by the program.
    private mutating func colors() {
        for (slot, value) in emulator.colors.all {
            let color = TerminalColors.text(of: value)
            if let index = slot.paletteIndex { writer.write("\u{1B}]4;\(index);\(color)\u{1B}\\") }
            if let index = slot.specialIndex { writer.write("\u{1B}]5;\(index);\(color)\u{1B}\\") }
            if let command = slot.dynamicCommand { writer.write("\u{1B}]\(command);\(color)\u{1B}\\") }
        }
    }

    private mutating func margins() {
        let stops = emulator.tabs.columns
        if stops != TabStops(columns: emulator.columns).columns {
            writer.control("3g")
            for stop in stops { writer.write("\u{1B}[\(stop + 1)G\u{1B}H") }
        }
        let region = emulator.region
        if region.top > 0 || region.bottom < emulator.rows { writer.control("\(region.top + 1);\(region.bottom)r") }
        if emulator.modes[.leftRightMargins] {
            writer.control("?69h")
            if !region.isFullWidth(emulator.columns) { writer.control("\(region.left + 1);\(region.right)s") }
        }
    }

    private mutating func modes() {
        // Modes that are restored elsewhere, or would clear the screen, keep it from being shown, or cause a reply.
        let apart: Set<Mode> = [
            .origin, .leftRightMargins, .columns132, .synchronized, .graphemes, .sizeNotes, .nationalSets,
        ]
        for mode in emulator.modes.changed where !apart.contains(mode) {
            let isSet = emulator.modes[mode]
            writer.control("\(mode.isPrivate ? "?" : "")\(mode.number)\(isSet ? "h" : "l")")
        }
        if emulator.keypadIsApplication { writer.write("\u{1B}=") }
        if emulator.cursorShape != .standard { writer.control("\(emulator.cursorShape.rawValue) q") }
        if emulator.modifiedKeys > 0 { writer.control(">4;\(emulator.modifiedKeys)m") }
        if emulator.formatsKeysAsCSIu { writer.control(">4;1f") }
        if emulator.hasRectangularExtent { writer.control("2*x") }
        if emulator.sendsC1 { writer.write("\u{1B} G") }
    }

    private mutating func keyboard(_ stack: KeyboardStack) {
        if let first = stack.flags.first, first != 0 { writer.control("=\(first);1u") }
        for pushed in stack.flags.dropFirst() { writer.control(">\(pushed)u") }
    }

    /// Selects the position, the pen and the character sets of a saved cursor; with `keeping`, also saves them.
    ///
    /// `keeping` is true for the screen that is shown, whose margins are set; for the other screen, mode 1049 saves the
    /// cursor.
    private mutating func saved(_ saved: SavedCursor, _ grid: Grid, keeping: Bool) {
        if saved.isOrigin { writer.control("?6h") }
        place(saved.cursor, on: grid, isOrigin: saved.isOrigin && keeping, hasMargins: keeping)
        select(saved.pen)
        sets(saved.sets)
        if keeping { writer.write("\u{1B}7") }
    }

    private mutating func sets(_ sets: CharacterSets) {
        for (place, intermediate) in ["(", ")", "*", "+"].enumerated() {
            switch sets.sets[place] {
            case .ascii: break
            case .lineDrawing, .britishLatin1: writer.write("\u{1B}\(intermediate)\(sets.sets[place].designator)")
            case .national(let set):
                // A set stays selected when national sets are disabled, but cannot be designated then.
                let isEnabled = emulator.modes[.nationalSets]
                let designation = "\u{1B}\(intermediate)\(set.designator)"
                writer.write(isEnabled ? designation : "\u{1B}[?42h\(designation)\u{1B}[?42l")
            // A 96-character set cannot be designated as G0.
            case .latin1: if place > 0 { writer.write("\u{1B}\(["-", ".", "/"][place - 1])A") }
            }
        }
        switch sets.active {
        case 1: writer.write("\u{0E}")
        case 2: writer.write("\u{1B}n")
        case 3: writer.write("\u{1B}o")
        default: break
        }
    }

    private mutating func select(_ pen: Style) {
        let link = emulator.tables.link(of: pen)
        var style = pen
        style.link = 0
        writer.select(style, link)
    }

    private mutating func place(_ cursor: Cursor, isOrigin: Bool) {
        let top = isOrigin ? emulator.region.top : 0
        let left = isOrigin ? emulator.region.left : 0
        writer.control("\(cursor.y - top + 1);\(cursor.x - left + 1)H")
    }

    /// Positions the cursor, and selects the pen and the character sets.
    private mutating func cursor() {
        let isOrigin = emulator.modes[.origin]
        if isOrigin { writer.control("?6h") }
        if emulator.modes[.insert], emulator.cursor.isWrapPending { writer.control("4l") }
        place(emulator.cursor, on: emulator.grid, isOrigin: isOrigin, hasMargins: true)
        if emulator.modes[.insert], emulator.cursor.isWrapPending { writer.control("4h") }
        select(emulator.pen)
        if emulator.protection == .guarded {
            // SPA selects guarded protection; EPA does not change that.
            writer.write(emulator.pen.attributes.contains(.protected) ? "\u{1B}V" : "\u{1B}V\u{1B}W")
        }
        sets(emulator.sets)
    }

    /// Positions the cursor; to restore a pending wrap, the character at the edge of the row is written again.
    private mutating func place(_ cursor: Cursor, on grid: Grid, isOrigin: Bool, hasMargins: Bool) {
        place(cursor, isOrigin: isOrigin)
        let last = edge(cursor, grid, hasMargins: hasMargins) - 1
        guard cursor.isWrapPending, cursor.x == last || cursor.x < last && hasMargins else { return }
        // CBT, which preserves a pending wrap, stops at each tab stop; one at the cursor may be missing.
        let stops = emulator.tabs.columns.filter { (cursor.x..<last).contains($0) }
        let isStopMissing = cursor.x < last && stops.first != cursor.x
        if isStopMissing { writer.write("\u{1B}H") }
        let (column, cell) = lastCell(Cursor(x: last, y: cursor.y), grid)
        place(Cursor(x: column, y: cursor.y), isOrigin: isOrigin)
        writer.select(cell.style, cell.link)
        writer.write(cell)
        if cell.text.isEmpty {
            // DECERA preserves a pending wrap; a terminal without DECERA shows a space in the empty cell.
            let y = cursor.y - (isOrigin ? emulator.region.top : 0) + 1
            let x = last - (isOrigin ? emulator.region.left : 0) + 1
            writer.control("\(y);\(x);\(y);\(x)$z")
        }
        if cursor.x < last { writer.control("\(stops.count + (isStopMissing ? 1 : 0))Z") }
        if isStopMissing { writer.control("g") }
    }

    private func edge(_ cursor: Cursor, _ grid: Grid, hasMargins: Bool) -> Int {
        let right = emulator.region.right
        let edge = hasMargins && cursor.x < right ? right : emulator.columns
        let isWide = !grid.lines[cursor.y].flags.isDisjoint(with: .size)
        return isWide ? min(edge, Grid.wideColumns(emulator.columns)) : edge
    }

    /// The character under the cursor, and its start column.
    private func lastCell(_ cursor: Cursor, _ grid: Grid) -> (column: Int, cell: ScreenCell) {
        let row = Emulator.row(grid.row(cursor.y), [], emulator.tables)
        var column = 0
        for cell in row.cells {
            if column + cell.width > cursor.x { return (column, cell) }
            column += cell.width
        }
        return (cursor.x, ScreenCell(text: "", width: 1, style: .plain, link: nil))
    }
}
