import Core
import Terminal

/// Removes a terminal's replies to queries from its input, because they were not typed.
///
/// vt queries only colors, and then the primary device attributes. Every terminal reports its attributes, and replies
/// in order, so that report is the last reply. Until it arrives, the start of a possible reply is held back.
struct AnswerFilter: Sendable {
    /// The reported colors.
    private(set) var colors = TerminalColors()
    /// Whether replies are still expected.
    private(set) var isWaiting = false
    private var held: [UInt8] = []
    private var isInPaste = false

    /// The maximum length of a reply; real replies are shorter.
    private static let answerLimitBytes = 4096

    /// Starts waiting for replies; returns the queries for the colors of text, background, cursor, selection and
    /// palette, and for the primary device attributes.
    mutating func startQueries() -> [UInt8] {
        isWaiting = true
        let dynamic = [10, 11, 12, 17, 19].map { "\u{1B}]\($0);?\u{1B}\\" }
        let palette = (0..<16).map { "\u{1B}]4;\($0);?\u{1B}\\" }
        return Array("\((dynamic + palette).joined())\u{1B}[c".utf8)
    }

    /// Stops waiting for replies; returns the bytes that were held back.
    mutating func giveUp() -> [UInt8] {
        isWaiting = false
        defer { held = [] }
        return held
    }

    /// Returns the bytes that were typed.
    mutating func filter(_ bytes: [UInt8]) -> [UInt8] {
        let all = held + bytes
        held = []
        guard all.contains(0x1B) else { return all }
        var typed: [UInt8] = []
        var index = 0
        while index < all.count {
            let rest = all[index...]
            guard rest.first == 0x1B else {
                let end = rest.firstIndex(of: 0x1B) ?? all.count
                typed += all[index..<end]
                index = end
                continue
            }
            if rest.starts(with: PasteEncoder.start) { isInPaste = true }
            if rest.starts(with: PasteEncoder.end) { isInPaste = false }
            switch isInPaste ? .typed : Self.kind(rest) {
            case .typed:
                typed.append(0x1B)
                index += 1
            case .beginning where isWaiting:
                held = Array(rest)
                return typed
            case .beginning:
                typed += rest
                return typed
            case .answer(let end):
                record(all[index..<end])
                index = end
            }
        }
        return typed
    }

    // MARK: - Classification

    private enum Kind {
        case typed
        /// Possibly the start of a reply.
        case beginning
        case answer(end: Int)
    }

    private static func kind(_ bytes: ArraySlice<UInt8>) -> Kind {
        let body = bytes.dropFirst(2)
        switch bytes.dropFirst().first {
        case nil: return .beginning
        case UInt8(ascii: "["):
            guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
                return body.count < 64 && (body.isEmpty || body.first == UInt8(ascii: "?")) ? .beginning : .typed
            }
            return isReport(body[..<end], final: body[end]) ? .answer(end: end + 1) : .typed
        case UInt8(ascii: "]"): return string(body, isAnswer: isColor, isExpected: true)
        case UInt8(ascii: "P"): return string(body, isAnswer: isDeviceReport, isExpected: false)
        default: return .typed
        }
    }

    /// Classifies a control string; a reply is printable up to its terminator, BEL or ST.
    private static func string(
        _ body: ArraySlice<UInt8>,
        isAnswer: (ArraySlice<UInt8>) -> Bool,
        isExpected: Bool
    ) -> Kind {
        guard let end = body.prefix(answerLimitBytes).firstIndex(where: { $0 < 0x20 }) else {
            return isExpected && body.count < 64 && isColorStart(body) ? .beginning : .typed
        }
        guard isAnswer(body[..<end]) else { return .typed }
        if body[end] == 0x07 { return .answer(end: end + 1) }
        guard body[end] == 0x1B else { return .typed }
        guard end + 1 < body.endIndex else { return isExpected ? .beginning : .typed }
        return body[end + 1] == UInt8(ascii: "\\") ? .answer(end: end + 2) : .typed
    }

    /// Whether a control sequence is a report, as opposed to a key, mouse or focus event, or a color or size change
    /// that the program subscribed to.
    private static func isReport(_ body: ArraySlice<UInt8>, final: UInt8) -> Bool {
        let marker = body.first.flatMap { (0x3C...0x3F).contains($0) ? Character(UnicodeScalar($0)) : nil }
        let intermediate = body.last.flatMap { (0x20...0x2F).contains($0) ? Character(UnicodeScalar($0)) : nil }
        let separators = body.count { $0 == UInt8(ascii: ";") }
        switch (marker, intermediate, Character(UnicodeScalar(final))) {
        // DA; DSR, except for color scheme reports; DECXCPR.
        case (.some, nil, "c"): return true
        case ("?", nil, "n"): return !body.starts(with: Array("?997".utf8))
        case (nil, nil, "n"), ("?", nil, "R"): return true
        // DECRPM, keyboard flags, XTSMGRAPHICS and XTQMODKEYS.
        case (_, "$", "y"), ("?", nil, "u"), ("?", nil, "S"), (">", nil, "m"): return true
        // XTWINOPS, including size reports of mode 2048, which the holder sends itself; DECREPTPARM.
        case (nil, nil, "t"): return separators >= 1
        case (nil, nil, "x"): return separators >= 2
        case (nil, "*", "{"), (nil, "\"", "w"): return true
        default: return false
        }
    }

    private static func isColorStart(_ body: ArraySlice<UInt8>) -> Bool {
        body.allSatisfy { (0x30...0x3B).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "/") }
    }

    private static func isColor(_ body: ArraySlice<UInt8>) -> Bool {
        body.first.map { (0x30...0x39).contains($0) } == true && isColorStart(body) && body.contains(Array(";rgb".utf8))
    }

    private static func isDeviceReport(_ body: ArraySlice<UInt8>) -> Bool {
        let head = body.drop { (0x30...0x3B).contains($0) }
        return ["$r", "+r", ">|", "!|", "!~", "$u", "!u"].contains { head.starts(with: Array($0.utf8)) }
    }

    // MARK: - Colors

    private mutating func record(_ answer: ArraySlice<UInt8>) {
        if answer.starts(with: Array("\u{1B}[?".utf8)), answer.last == UInt8(ascii: "c") { isWaiting = false }
        guard answer.starts(with: Array("\u{1B}]".utf8)) else { return }
        let text = answer.dropFirst(2).prefix { $0 >= 0x20 }
        var parts = text.split(separator: UInt8(ascii: ";")).map(Array.init)
        guard parts.count >= 2, let color = TerminalColors.value(of: Self.opaque(parts.removeLast())[...]) else {
            return
        }
        let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        let slot: TerminalColors.Slot? =
            switch (numbers.first, numbers.count) {
            case (4, 2): .palette(numbers[1])
            case (.some(let command), 1): .dynamic(command)
            default: nil
            }
        if let slot { colors[slot] = color }
    }

    /// Removes the opacity from `rgba:R/G/B/A`, which some terminals send.
    private static func opaque(_ text: [UInt8]) -> [UInt8] {
        guard text.starts(with: Array("rgba:".utf8)) else { return text }
        let parts = text.dropFirst(5).split(separator: UInt8(ascii: "/")).prefix(3)
        return Array("rgb:".utf8) + parts.joined(separator: [UInt8(ascii: "/")])
    }
}
