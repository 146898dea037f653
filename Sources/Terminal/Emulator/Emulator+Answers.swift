import Core

/// Replies to queries.
///
/// The replies claim only features that any terminal attached to the session can be expected to have.
extension Emulator {
    /// Adds a reply; its C1 controls must have the 7-bit form, and are sent in the form that the program has selected.
    mutating func answer(_ text: String) {
        guard reports.answers.count + text.utf8.count <= Reports.answerLimit else { return }
        guard sendsC1 else {
            reports.answers += Array(text.utf8)
            return
        }
        for (index, part) in text.utf8.split(separator: 0x1B, omittingEmptySubsequences: false).enumerated() {
            guard index > 0, let first = part.first else { continue }
            reports.answers.append(first + 0x40)
            reports.answers += part.dropFirst()
        }
    }

    /// DA1: reports a level 2 terminal with colors, as foot, kitty and Ghostty do, but without graphics or clipboard.
    ///
    /// DECRQSS reports the same level for DECSCL.
    mutating func answerPrimaryAttributes() {
        answer("\u{1B}[?62;22c")
    }

    /// DA2: reports a VT420, as xterm does.
    mutating func answerSecondaryAttributes() {
        answer("\u{1B}[>41;380;0c")
    }

    /// DA3: reports the unit ID 0.
    mutating func answerTertiaryAttributes() {
        answer("\u{1B}P!|00000000\u{1B}\\")
    }

    /// XTVERSION: reports the name and version, in the form of xterm and others.
    mutating func answerVersion() {
        answer("\u{1B}P>|vt(\(Release.version))\u{1B}\\")
    }

    /// DECREQTPARM: reports xterm's values for a VT100.
    mutating func answerParameters(_ request: Int) {
        guard request <= 1 else { return }
        answer("\u{1B}[\(request + 2);1;1;128;128;1;0x")
    }

    /// DSR; the private form also reports that user-defined keys are locked, and that there is no printer, locator or
    /// macro space.
    mutating func answerStatus(_ request: Int, isPrivate: Bool) {
        let place = "\(relativeRow + 1);\(relativeColumn + 1)"
        switch (isPrivate, request) {
        case (false, 5): answer("\u{1B}[0n")
        case (false, 6): answer("\u{1B}[\(place)R")
        case (true, 6): answer("\u{1B}[?\(place);1R")
        case (true, 15): answer("\u{1B}[?13n")
        case (true, 25): answer("\u{1B}[?21n")
        case (true, 26): answer("\u{1B}[?27;1;0;0n")
        case (true, 53), (true, 55): answer("\u{1B}[?50n")
        case (true, 56): answer("\u{1B}[?57;0n")
        case (true, 62): answer("\u{1B}[0000*{")
        // The checksum of nonexistent macros, with the ID of the request.
        case (true, 63): answer("\u{1B}P\(parser.sequence.value(1) ?? 0)!~0000\u{1B}\\")
        // No data errors.
        case (true, 75): answer("\u{1B}[?70n")
        // No support for multiple sessions.
        case (true, 85): answer("\u{1B}[?83n")
        case (true, 996): answerColorScheme()
        default: break
        }
    }

    /// XTQMODKEYS: reports the defaults of xterm's resources, except for modifyOtherKeys.
    mutating func answerModifiers(_ resource: Int) {
        switch resource {
        case 0, 3, 5, 6, 7: answer("\u{1B}[>\(resource);0m")
        case 1, 2: answer("\u{1B}[>\(resource);2m")
        case 4: answer("\u{1B}[>4;\(modifiedKeys)m")
        default: break
        }
    }

    /// XTSMGRAPHICS: reports that graphics are not supported.
    mutating func answerGraphics() {
        answer("\u{1B}[?\(parser.sequence.value(0) ?? 0);1S")
    }

    // MARK: - Window

    /// XTWINOPS: reports the state, position and sizes of the window, and saves and restores titles.
    ///
    /// Titles are reported as empty: they may come from an untrusted source, and the program reads the reply as input.
    /// xterm and tmux do not report titles either.
    mutating func windowOperation() {
        switch parser.sequence.value(0) {
        case 11: answer("\u{1B}[1t")
        case 13: answer("\u{1B}[3;0;0t")
        case 14: answer("\u{1B}[4;\(rows * Self.cellHeight);\(columns * Self.cellWidth)t")
        case 15: answer("\u{1B}[5;\(rows * Self.cellHeight);\(columns * Self.cellWidth)t")
        case 16: answer("\u{1B}[6;\(Self.cellHeight);\(Self.cellWidth)t")
        case 18: answer("\u{1B}[8;\(rows);\(columns)t")
        case 19: answer("\u{1B}[9;\(rows);\(columns)t")
        case 20: answer("\u{1B}]L\u{1B}\\")
        case 21: answer("\u{1B}]l\u{1B}\\")
        case 22:
            if titles.count < 10 { titles.append(SavedTitles(title: title, iconName: iconName)) }
        case 23: restoreTitles(parser.sequence.value(1) ?? 0)
        default: break
        }
    }

    /// Restores saved titles: both, or only the icon title (1) or the window title (2), as xterm does.
    private mutating func restoreTitles(_ which: Int) {
        guard let last = titles.popLast() else { return }
        if which != 2 { iconName = last.iconName }
        if which != 1 { title = last.title }
    }

    // The actual cell size is unknown; report the cell size of VGA text mode, in pixels.
    static let cellWidth = 8
    static let cellHeight = 16

    /// Mode 2048: reports the size in cells and, like XTWINOPS 14, in pixels.
    mutating func answerSizeNote() {
        answer("\u{1B}[48;\(rows);\(columns);\(rows * Self.cellHeight);\(columns * Self.cellWidth)t")
    }
}
