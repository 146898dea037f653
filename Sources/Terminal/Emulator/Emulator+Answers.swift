import Core

/// What a terminal sends back when it is asked.
///
/// It claims no more than what any terminal that shows it can be expected to do.
extension Emulator {
    mutating func answer(_ text: String) {
        guard reports.answers.count + text.utf8.count <= Reports.answerLimit else { return }
        reports.answers += Array(text.utf8)
    }

    /// DA1: a terminal of level 2 with colors, as foot, kitty and Ghostty are, without graphics and clipboard.
    ///
    /// DECRQSS names the same level for DECSCL.
    mutating func answerPrimaryAttributes() {
        answer("\u{1B}[?62;22c")
    }

    /// DA2: a VT420 as xterm tells it.
    mutating func answerSecondaryAttributes() {
        answer("\u{1B}[>41;380;0c")
    }

    /// DA3: no unit id.
    mutating func answerTertiaryAttributes() {
        answer("\u{1B}P!|00000000\u{1B}\\")
    }

    /// XTVERSION.
    mutating func answerVersion() {
        answer("\u{1B}P>|vt\u{1B}\\")
    }

    /// DECREQTPARM, with the values of a VT100 that xterm gives.
    mutating func answerParameters(_ request: Int) {
        guard request <= 1 else { return }
        answer("\u{1B}[\(request + 2);1;1;128;128;1;0x")
    }

    /// DSR; in the private form also that there is no printer, no locked keys, no locator and no room for macros.
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
        // A checksum of macros that are not there, with the number of the request.
        case (true, 63): answer("\u{1B}P\(parser.sequence.value(1) ?? 0)!~0000\u{1B}\\")
        // No errors, and one session.
        case (true, 75): answer("\u{1B}[?70n")
        case (true, 85): answer("\u{1B}[?83n")
        case (true, 996): answerColorScheme()
        default: break
        }
    }

    /// XTQMODKEYS: the resources of xterm have their defaults, but for modifyOtherKeys.
    mutating func answerModifiers(_ resource: Int) {
        switch resource {
        case 0, 3, 5, 6, 7: answer("\u{1B}[>\(resource);0m")
        case 1, 2: answer("\u{1B}[>\(resource);2m")
        case 4: answer("\u{1B}[>4;\(modifiedKeys)m")
        default: break
        }
    }

    /// XTSMGRAPHICS: there are no graphics.
    mutating func answerGraphics() {
        answer("\u{1B}[?\(parser.sequence.value(0) ?? 0);1S")
    }

    // MARK: - The window

    /// XTWINOPS: sizes, and the stack of titles.
    ///
    /// Titles are told as empty ones: they may come from anywhere, and an answer is typed into the program. xterm and tmux
    /// tell none either.
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

    /// Takes titles from the stack: both, or only that of the icon (1) or of the window (2), as xterm does.
    private mutating func restoreTitles(_ which: Int) {
        guard let last = titles.popLast() else { return }
        if which != 2 { iconName = last.iconName }
        if which != 1 { title = last.title }
    }

    /// A cell in pixels, where nobody knows its size: that of a VGA in text mode.
    private static let cellWidth = 8
    private static let cellHeight = 16

    /// Mode 2048: the size, in cells only.
    mutating func answerSizeNote() {
        answer("\u{1B}[48;\(rows);\(columns);0;0t")
    }
}
