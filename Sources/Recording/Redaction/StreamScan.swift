import Core
import Terminal

/// Searches a stream of terminal output or user input for secrets.
///
/// There are several views of the same bytes: the printed text, without colors and modes, up to the next line feed,
/// carriage return or cursor movement; the text within sequences: titles, links and other payloads of OSC, DCS and APC;
/// text that a program copies to the clipboard, decoded (OSC 52); and the raw bytes, for tokens. The syntax of
/// sequences never counts as a secret.
struct StreamScan {
    /// A piece of the stream, either original or a replacement.
    struct Segment {
        var bytes: ArraySlice<UInt8>
        /// The offset of its first byte in the original stream.
        var offset: UInt64
        /// Whether the bytes replace redacted bytes.
        var isReplacement = false
    }

    private struct View {
        var line = StreamLine()
        var search: SecretSearch
        var tokensOnly = false
        var isClipboard = false
    }

    private let plan: RedactionPlan
    private var classifier = OutputClassifier()
    private var text: View
    private var payload: View
    private var raw: View
    private var clipboard: View
    private var decoder = ClipboardDecoder()
    private var findings: [SecretSearch.Finding] = []
    /// Whether the line contains a sequence or control character, so its raw bytes differ from the text in the
    /// other views.
    private var isRawOther = false
    /// Whether the stream is user input, in which a backspace erases a character.
    private let isInput: Bool

    init(_ plan: RedactionPlan, _ known: FoundSecrets, _ clean: CleanLines, isInput: Bool = false) {
        self.plan = plan
        self.isInput = isInput
        let search = SecretSearch(plan, known, clean)
        text = View(search: search)
        payload = View(search: search)
        raw = View(search: search, tokensOnly: true)
        clipboard = View(search: search, isClipboard: true)
    }

    /// Returns the secrets found since the last call.
    mutating func takeFindings() -> [SecretSearch.Finding] {
        defer { findings = [] }
        return findings
    }

    /// The incomplete line of text.
    var openText: ArraySlice<UInt8> { text.line.bytes[...] }

    mutating func consume(_ segment: Segment) {
        let bytes = segment.bytes
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let offset = segment.isReplacement ? nil : segment.offset + UInt64(index - bytes.startIndex)
            let end = classifier.endOfText(bytes, index)
            if end > index {
                add(bytes[index..<end], offset, isText: classifier.isBetweenSequences)
                index = end
            } else {
                consume(bytes[index], offset)
                index += 1
            }
        }
    }

    /// Searches the remaining data; must be called at the end of the stream.
    mutating func finish() {
        Self.end(&text, plan, &findings)
        Self.end(&payload, plan, &findings)
        Self.end(&clipboard, plan, &findings)
        endRaw()
    }

    /// Adds printed characters, or characters of the text in a sequence.
    private mutating func add(_ part: ArraySlice<UInt8>, _ offset: UInt64?, isText: Bool) {
        raw.line.append(part, from: offset)
        if raw.line.isFull { shortenRaw() }
        if isText {
            text.line.append(part, from: offset)
            Self.shorten(&text, plan, &findings)
        } else {
            isRawOther = true
            payload.line.append(part, from: offset)
            Self.shorten(&payload, plan, &findings)
            decode(part, offset)
        }
    }

    private mutating func consume(_ byte: UInt8, _ offset: UInt64?) {
        let part = classifier.classify(byte)
        switch part {
        case .text, .blank, .end: break
        case .payload, .payloadEnd, .control: isRawOther = true
        }
        if byte == 0x0A {
            endRaw()
        } else {
            raw.line.append(byte, from: part == .text || part == .payload ? offset : nil)
        }
        if isInput, edit(byte) { return }
        switch part {
        case .text:
            text.line.append(byte, from: offset)
            Self.shorten(&text, plan, &findings)
        case .blank: text.line.append(0x20, from: nil)
        case .end: Self.end(&text, plan, &findings)
        case .payload:
            payload.line.append(byte, from: offset)
            decode([byte], offset)
        case .payloadEnd:
            Self.end(&payload, plan, &findings)
            Self.end(&clipboard, plan, &findings)
            decoder = ClipboardDecoder()
        case .control: break
        }
    }

    /// Handles an editing key as a line discipline does (termios(3)); returns false for any other byte.
    private mutating func edit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x7F, 0x08:
            Self.search(&text, plan, &findings)
            text.line.removeLast()
        case 0x15, 0x03: Self.end(&text, plan, &findings)
        case 0x17:
            Self.search(&text, plan, &findings)
            while text.line.bytes.last == 0x20 { text.line.removeLast() }
            while let last = text.line.bytes.last, last != 0x20 { text.line.removeLast() }
        default: return false
        }
        return true
    }

    private mutating func decode(_ part: ArraySlice<UInt8>, _ offset: UInt64?) {
        for (index, byte) in zip(part.indices, part) {
            let place = offset.map { $0 + UInt64(index - part.startIndex) }
            guard let decoded = decoder.consume(byte, place) else { continue }
            for (content, offset) in decoded {
                if content == 0x0A || content == 0x0D {
                    Self.end(&clipboard, plan, &findings)
                } else {
                    clipboard.line.append(content, from: offset)
                    Self.shorten(&clipboard, plan, &findings)
                }
            }
        }
    }

    // MARK: - Lines

    private static func shorten(_ view: inout View, _ plan: RedactionPlan, _ findings: inout [SecretSearch.Finding]) {
        while view.line.isFull {
            search(&view, plan, &findings)
            view.line.dropHalf()
        }
    }

    private mutating func shortenRaw() {
        while raw.line.isFull {
            if isRawOther { Self.search(&raw, plan, &findings) }
            raw.line.dropHalf()
        }
    }

    private static func end(_ view: inout View, _ plan: RedactionPlan, _ findings: inout [SecretSearch.Finding]) {
        guard !view.line.isEmpty else { return }
        search(&view, plan, &findings)
        view.line.removeAll()
    }

    private mutating func endRaw() {
        if isRawOther, !raw.line.isEmpty { Self.search(&raw, plan, &findings) }
        raw.line.removeAll()
        isRawOther = !classifier.isBetweenSequences
    }

    private static func search(_ view: inout View, _ plan: RedactionPlan, _ findings: inout [SecretSearch.Finding]) {
        let matches = view.search.matches(
            in: view.line.bytes[...],
            isWhole: view.line.isWhole,
            tokensOnly: view.tokensOnly
        )
        for match in matches {
            var (ranges, value) = view.line.origin(of: match.range)
            // Text that consists only of syntax, or was redacted before, is not a secret.
            guard !ranges.isEmpty, !plan.isReplacement(value) else { continue }
            if view.isClipboard, let first = ranges.first, let last = ranges.last {
                // Four characters encode three bytes; the offset of a byte is the offset of the character in which it
                // starts.
                ranges = [first.lowerBound..<last.upperBound + 2]
            }
            findings.append(SecretSearch.Finding(ranges: ranges, value: value, match: match))
        }
    }
}
