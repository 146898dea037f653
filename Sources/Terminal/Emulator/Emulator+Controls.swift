import Core

/// Control characters and escape sequences.
extension Emulator {
    /// Executes a control character below 0x20.
    mutating func control(_ byte: UInt8) {
        if parser.utf8.abandon() { print(UTF8Decoder.replacement) }
        join = .moved
        lastScalar = nil
        switch byte {
        case 0x08: moveLeft(1)
        case 0x09: tabForward(1)
        case 0x0A, 0x0B, 0x0C:
            endLine()
            index()
            if modes[.newLine] { carriageReturn() }
        case 0x0D:
            leaveLine()
            carriageReturn()
        case 0x0E: sets.active = 1
        case 0x0F: sets.active = 0
        default: break
        }
    }

    /// Executes a C1 control that does not introduce a sequence.
    ///
    /// Only the two-byte form of C1 controls (`ESC` and a byte from `@` to `_`) is supported; the single bytes are
    /// ill-formed UTF-8.
    mutating func control(c1 byte: UInt8) {
        join = .moved
        lastScalar = nil
        switch byte {
        case 0x84:
            // A movement to another row.
            if isOneRowLog { break }
            endLine()
            index()
        case 0x85:
            endLine()
            index()
            carriageReturn()
        case 0x88: tabs.set(cursor.x, true)
        case 0x8D:
            leaveLine()
            reverseIndex()
        case 0x8E: sets.single = 2
        case 0x8F: sets.single = 3
        case 0x96:
            protection = .guarded
            pen.attributes.insert(.protected)
        case 0x97: pen.attributes.remove(.protected)
        case 0x9A: answerPrimaryAttributes()
        default: break
        }
        if byte == 0x96 || byte == 0x97 { penNumber = nil }
    }

    /// Executes an escape sequence that is not a C1 control.
    mutating func escape(_ final: UInt8, _ intermediates: UInt32) {
        join = .moved
        lastScalar = nil
        switch (intermediates, final) {
        case (0, UInt8(ascii: "6")): columnIndex(forward: false)
        case (0, UInt8(ascii: "7")): saveCursor()
        case (0, UInt8(ascii: "8")): restoreCursor()
        case (0, UInt8(ascii: "9")): columnIndex(forward: true)
        case (0, UInt8(ascii: "=")): keypadIsApplication = true
        case (0, UInt8(ascii: ">")): keypadIsApplication = false
        case (0, UInt8(ascii: "c")): reset()
        case (0, UInt8(ascii: "n")): sets.active = 2
        case (0, UInt8(ascii: "o")): sets.active = 3
        case (0x20, UInt8(ascii: "F")): sendsC1 = false
        case (0x20, UInt8(ascii: "G")): sendsC1 = true
        case (0x23, UInt8(ascii: "3")): setLineSize([.doubleWidth, .upperHalf])
        case (0x23, UInt8(ascii: "4")): setLineSize([.doubleWidth, .lowerHalf])
        case (0x23, UInt8(ascii: "5")): setLineSize([])
        case (0x23, UInt8(ascii: "6")): setLineSize(.doubleWidth)
        case (0x23, UInt8(ascii: "8")): fillWithE()
        case (0x25, UInt8(ascii: "@")): encoding.isUTF8 = false
        case (0x25, UInt8(ascii: "G")): encoding.isUTF8 = true
        case (0x28...0x2B, UInt8(ascii: "0")): sets.sets[Int(intermediates) - 0x28] = .lineDrawing
        case (0x28...0x2B, UInt8(ascii: "B")): sets.sets[Int(intermediates) - 0x28] = .ascii
        case (0x28...0x2B, _): designate(Int(intermediates) - 0x28, [final])
        // An intermediate byte before the final byte.
        case (0x2822...0x2B25, _): designate(Int(intermediates >> 8) - 0x28, [UInt8(intermediates & 0xFF), final])
        // ISO Latin-1 is the only supported 96-character set.
        case (0x2D...0x2F, UInt8(ascii: "A")): sets.sets[Int(intermediates) - 0x2C] = .latin1
        default: break
        }
    }

    private mutating func designate(_ place: Int, _ designator: [UInt8]) {
        let designator = String(decoding: designator, as: UTF8.self)
        guard let set = CharacterSets.Set(designator: designator, allowsNational: modes[.nationalSets]) else { return }
        sets.sets[place] = set
    }

    private mutating func setLineSize(_ size: LineFlags) {
        let flags = grid.lines[cursor.y].flags
        guard flags.intersection(.size) != size else { return }
        grid.lines[cursor.y].flags = flags.subtracting(.size).union(size)
        let limit = Grid.wideColumns(columns)
        if !size.isEmpty, cursor.x >= limit {
            // xterm leaves the cursor in the first hidden column. With a pending wrap, the last visible column is
            // equivalent, and StateRenderer can restore it unless half of a wide character is there.
            cursor.isWrapPending = cursor.isWrapPending && !grid.cell(cursor.y, limit - 1).isWide
            cursor.x = cursor.isWrapPending ? limit - 1 : min(limit, columns - 1)
        }
        keepWaitOnlyAtEdge()
    }

    /// DECALN: fills the screen with `E`, and resets the margins and origin mode.
    private mutating func fillWithE() {
        region = Region(columns: columns, rows: rows)
        modes[.origin] = false
        cursor = Cursor()
        for y in 0..<rows {
            grid.clear(y, Cell(glyph: 0x45, style: 0))
        }
    }

    // MARK: - Saving and resetting

    mutating func saveCursor() {
        // A row that is written again before its cursor is saved, such as a prompt.
        if collected.update != nil, !isAlternate { collected.update = (grid, collected.text.count) }
        saved = SavedCursor(cursor: cursor, pen: pen, sets: sets, isOrigin: modes[.origin])
    }

    /// DECRC, SCORC, and modes 1048 and 1049; a pending wrap of the saved cursor is restored only at the edge of a row,
    /// as in xterm.
    mutating func restoreCursor() {
        leaveLine()
        if let update = collected.update, !isAlternate {
            grid = update.grid
            collected.text.remove(update.textCount..<collected.text.count)
        }
        modes[.origin] = saved.isOrigin
        pen = saved.pen
        penNumber = nil
        sets = saved.sets
        cursor = saved.cursor
        cursor.x = min(cursor.x, columns - 1)
        cursor.y = min(cursor.y, rows - 1)
        if modes[.origin] {
            cursor.y = min(max(cursor.y, region.top), region.bottom - 1)
        }
        keepWaitOnlyAtEdge()
    }

    /// RIS: restores the initial state, except for the encoding, the current titles, the working directory and the
    /// prompt state.
    private mutating func reset() {
        leaveScreen()
        grid = Grid(columns: columns, rows: rows)
        otherGrid = nil
        isAlternate = false
        (cursor, saved, otherSaved) = (Cursor(), SavedCursor(), SavedCursor())
        (keyboard, otherKeyboard) = (KeyboardStack(), KeyboardStack())
        modes = Modes()
        region = Region(columns: columns, rows: rows)
        tabs = TabStops(columns: columns)
        (sets, pen, penNumber) = (CharacterSets(), .plain, nil)
        keypadIsApplication = false
        sendsC1 = false
        modifiedKeys = 0
        formatsKeysAsCSIu = false
        cursorShape = .standard
        protection = .selective
        hasRectangularExtent = false
        lastScalar = nil
        savedModes = [:]
        colors = TerminalColors()
        titles = []
        scrollback.clear()
        forgetUnused()
    }

    /// DECSTR (VT510 manual), resetting the same state as xterm.
    mutating func softReset() {
        modes[.showCursor] = true
        modes[.insert] = false
        modes[.origin] = false
        modes[.autoWrap] = true
        modes[.applicationCursor] = false
        modes[.keyboardLocked] = false
        modes[.leftRightMargins] = false
        modes[.applicationKeypad] = false
        modes[.reverseWrap] = false
        modes[.extendedReverseWrap] = false
        modes[.blinkingCursor] = false
        protection = .selective
        keypadIsApplication = false
        modifiedKeys = 0
        sendsC1 = false
        region = Region(columns: columns, rows: rows)
        (sets, pen, penNumber) = (CharacterSets(), .plain, nil)
        saved = SavedCursor()
        cursorShape = .standard
    }
}
