/// Control sequences (ECMA-48 §8.3, xterm's ctlseqs).
extension Emulator {
    mutating func controlSequence(_ final: UInt8) {
        join = .moved
        // REP repeats only a character that immediately precedes it, not one before another REP.
        let repeated = lastScalar
        lastScalar = nil
        switch (parser.sequence.marker, parser.sequence.intermediates) {
        case (0, 0) where final == UInt8(ascii: "b"): repeatScalar(repeated, counter(0))
        case (0, 0): plainSequence(final)
        case (UInt8(ascii: "?"), 0): privateSequence(final)
        case (UInt8(ascii: ">"), 0): secondarySequence(final)
        case (UInt8(ascii: "="), 0):
            if final == UInt8(ascii: "c"), value(0, 0) == 0 { answerTertiaryAttributes() }
            if final == UInt8(ascii: "u") { keyboard.set(value(0, 0), how: value(1, 1)) }
        case (UInt8(ascii: "<"), 0):
            if final == UInt8(ascii: "u") { keyboard.pop(counter(0)) }
        default: markedSequence(final)
        }
    }

    private func counter(_ index: Int) -> Int { parser.sequence.counter(index) }
    private func value(_ index: Int, _ otherwise: Int) -> Int { parser.sequence.value(index) ?? otherwise }

    private mutating func plainSequence(_ final: UInt8) {
        switch UnicodeScalar(final) {
        case "m": selectGraphics()
        case "H", "f": move(toRow: counter(0) - 1, column: counter(1) - 1)
        case "A": moveUp(counter(0))
        case "B": moveDown(counter(0))
        case "C": moveRight(counter(0))
        case "D": moveLeft(counter(0))
        case "E":
            moveDown(counter(0))
            carriageReturn()
        case "F":
            moveUp(counter(0))
            carriageReturn()
        case "G", "`": move(toRow: relativeRow, column: counter(0) - 1)
        case "d": move(toRow: counter(0) - 1, column: relativeColumn)
        // VPR and HPR ignore margins.
        case "e": move(toRow: relativeRow + counter(0), column: relativeColumn)
        case "a": move(toRow: relativeRow, column: relativeColumn + counter(0))
        case "I": tabForward(counter(0))
        case "Z": tabBackward(counter(0))
        default: editingSequence(final)
        }
    }

    private mutating func editingSequence(_ final: UInt8) {
        switch UnicodeScalar(final) {
        case "J": eraseDisplay(value(0, 0), selective: false)
        case "K": eraseLine(value(0, 0), selective: false)
        case "@": moveCharacters(counter(0), inserting: true)
        case "P": moveCharacters(counter(0), inserting: false)
        case "X": eraseCharacters(counter(0))
        case "L": moveLines(counter(0), inserting: true)
        case "M": moveLines(counter(0), inserting: false)
        case "S": scrollUp(counter(0))
        // With five parameters, the sequence starts mouse highlight tracking.
        case "T" where parser.sequence.count < 5: scrollDown(region.rows, counter(0))
        case "^": scrollDown(region.rows, counter(0))
        case "g":
            if value(0, 0) == 0 { tabs.set(cursor.x, false) }
            if value(0, 0) == 3 { tabs.clear() }
        default: settingSequence(final)
        }
    }

    private mutating func settingSequence(_ final: UInt8) {
        switch UnicodeScalar(final) {
        case "h": setModes(true, isPrivate: false)
        case "l": setModes(false, isPrivate: false)
        case "r": setMargins()
        case "s":
            if modes[.leftRightMargins] { setSideMargins() } else { saveCursor() }
        case "u": restoreCursor()
        case "c": if value(0, 0) == 0 { answerPrimaryAttributes() }
        case "n": answerStatus(value(0, 0), isPrivate: false)
        case "t": windowOperation()
        case "x": answerParameters(value(0, 0))
        default: break
        }
    }

    private mutating func privateSequence(_ final: UInt8) {
        switch UnicodeScalar(final) {
        case "h": setModes(true, isPrivate: true)
        case "l": setModes(false, isPrivate: true)
        case "J": eraseDisplay(value(0, 0), selective: true)
        case "K": eraseLine(value(0, 0), selective: true)
        case "n": answerStatus(value(0, 0), isPrivate: true)
        case "r": restoreModes()
        case "s": saveModes()
        case "u": answer("\u{1B}[?\(keyboard.current)u")
        case "m": answerModifiers(value(0, 0))
        case "S": answerGraphics()
        default: break
        }
    }

    private mutating func secondarySequence(_ final: UInt8) {
        switch UnicodeScalar(final) {
        case "c": if value(0, 0) == 0 { answerSecondaryAttributes() }
        case "m": if value(0, 4) == 4 { modifiedKeys = min(value(1, 0), 2) }
        case "n": if value(0, 0) == 4 { modifiedKeys = 0 }
        case "f": if value(0, 4) == 4 { formatsKeysAsCSIu = value(1, 0) == 1 }
        case "q": if value(0, 0) == 0 { answerVersion() }
        case "u": keyboard.push(value(0, 0))
        default: break
        }
    }

    /// Executes a sequence with intermediate bytes.
    private mutating func markedSequence(_ final: UInt8) {
        guard parser.sequence.intermediates < 0x80 else { return }
        let intermediate = UnicodeScalar(UInt8(parser.sequence.intermediates))
        switch (parser.sequence.marker, intermediate, UnicodeScalar(final)) {
        case (0, "!", "p"): softReset()
        case (0, " ", "q"): cursorShape = CursorShape(rawValue: value(0, 0)) ?? cursorShape
        case (0, "\"", "q"): setProtection(value(0, 0) == 1)
        case (0, "\"", "p"): setLevel(value(0, 0))
        case (0, "*", "x"): hasRectangularExtent = value(0, 0) == 2
        case (0, "$", "r"): changeAttributes(reversing: false)
        case (0, "$", "t"): changeAttributes(reversing: true)
        case (0, "$", "p"): answerMode(value(0, 0), isPrivate: false)
        case (UInt8(ascii: "?"), "$", "p"): answerMode(value(0, 0), isPrivate: true)
        case (0, "$", "w"): answerPresentation(value(0, 0))
        case (0, "&", "u"): answerPreferredSet()
        case (0, "\"", "v"): answerExtent()
        case (0, "*", "y"): answerChecksum()
        case (0, " ", "@"): moveColumns(from: region.left, counter(0), inserting: false)
        case (0, " ", "A"): moveColumns(from: region.left, counter(0), inserting: true)
        case (0, "'", "}"): moveColumns(from: cursor.x, counter(0), inserting: true)
        case (0, "'", "~"): moveColumns(from: cursor.x, counter(0), inserting: false)
        case (0, "$", "v"): copyRectangle()
        case (0, "$", "z"): fillRectangle(0, with: nil)
        case (0, "$", "{"): fillRectangle(0, with: nil, selective: true)
        case (0, "$", "x"):
            let scalar = value(0, 0)
            if (0x20...0x7E).contains(scalar) { fillRectangle(1, with: UInt32(scalar)) }
        default: break
        }
    }

    /// DECSCL: a soft reset, which also selects the form of C1 controls; all supported features are available at every
    /// level.
    private mutating func setLevel(_ level: Int) {
        guard (61...65).contains(level) else { return }
        softReset()
        sendsC1 = level > 61 && [0, 2].contains(value(1, 0))
    }

    /// DECSCA: sets whether the following characters are protected from selective erasing.
    private mutating func setProtection(_ isProtected: Bool) {
        protection = .selective
        if isProtected { pen.attributes.insert(.protected) } else { pen.attributes.remove(.protected) }
        penNumber = nil
    }

    // MARK: - Margins

    /// DECSTBM: sets the top and bottom margins.
    private mutating func setMargins() {
        let top = counter(0) - 1
        let given = value(1, 0)
        let bottom = given == 0 ? rows : min(given, rows)
        guard bottom - top >= 2 || (rows == 1 && bottom == 1 && top == 0) else { return }
        (region.top, region.bottom) = (top, bottom)
        move(toRow: 0, column: 0)
    }

    /// DECSLRM: sets the left and right margins.
    private mutating func setSideMargins() {
        let left = counter(0) - 1
        let given = value(1, 0)
        let right = given == 0 ? columns : min(given, columns)
        guard right - left >= 2 else { return }
        (region.left, region.right) = (left, right)
        move(toRow: 0, column: 0)
    }
}
