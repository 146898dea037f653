/// What a terminal sends back when it is asked.
extension Emulator {
    mutating func answer(_ text: String) {
        guard reports.answers.count + text.utf8.count <= Reports.answerLimit else { return }
        reports.answers += Array(text.utf8)
    }

    /// DA1: a VT420 with 132 columns, selective erasing, national character sets, rectangles, and colours.
    mutating func answerPrimaryAttributes() {
        answer("\u{1B}[?64;1;6;9;21;22;28c")
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

    /// DSR; in the private form also that there is no printer, no locked keys and no locator.
    mutating func answerStatus(_ request: Int, isPrivate: Bool) {
        let place = "\(relativeRow + 1);\(relativeColumn + 1)"
        switch (isPrivate, request) {
        case (false, 5): answer("\u{1B}[0n")
        case (false, 6): answer("\u{1B}[\(place)R")
        case (true, 6): answer("\u{1B}[?\(place);1R")
        case (true, 15): answer("\u{1B}[?13n")
        case (true, 25): answer("\u{1B}[?21n")
        case (true, 26): answer("\u{1B}[?27;1;0;0n")
        case (true, 55): answer("\u{1B}[?50n")
        case (true, 56): answer("\u{1B}[?57;0n")
        default: break
        }
    }

    /// XTWINOPS: only the size in cells, and the stack of titles.
    mutating func windowOperation() {
        switch parser.sequence.value(0) {
        case 18: answer("\u{1B}[8;\(rows);\(columns)t")
        case 19: answer("\u{1B}[9;\(rows);\(columns)t")
        case 22: if titles.count < 10 { titles.append(title) }
        case 23: if let last = titles.popLast() { title = last }
        default: break
        }
    }

    // MARK: - Device control strings

    mutating func deviceControl(_ text: [UInt8]) {
        join = .moved
        switch (parser.sequence.intermediates, parser.final) {
        case (0x24, UInt8(ascii: "q")): answerSetting(text)
        case (0x2B, UInt8(ascii: "q")):
            // XTGETTCAP: none is told, as names and values come from the terminfo entry of `TERM`.
            answer("\u{1B}P0+r\u{1B}\\")
        default: break
        }
    }

    /// DECRQSS: answers with what was asked for only where it is known, and never repeats the question.
    private mutating func answerSetting(_ text: [UInt8]) {
        let setting: String? =
            switch String(decoding: text, as: UTF8.self) {
            case "m": graphics(pen) + "m"
            case "r": "\(region.top + 1);\(region.bottom)r"
            case "s": "\(region.left + 1);\(region.right)s"
            case " q": "\(cursorShape == .standard ? 1 : cursorShape.rawValue) q"
            case "\"q": "\(pen.attributes.contains(.protected) ? 1 : 0)\"q"
            case "\"p": "64;1\"p"
            case "t": "\(rows)t"
            case "$|": "\(columns)$|"
            case "*|": "\(rows)*|"
            default: nil
            }
        answer(setting.map { "\u{1B}P1$r\($0)\u{1B}\\" } ?? "\u{1B}P0$r\u{1B}\\")
    }

    private func graphics(_ style: Style) -> String {
        GraphicText.parameters(style)
    }
}
