import Core
import Terminal

/// Looks for secrets in a stream of bytes for a terminal.
///
/// There are several views of the same bytes. The text: what is printed, without what only colors it or sets a mode, up
/// to the next line feed, carriage return or movement of the cursor. The texts that stand in sequences: titles, links
/// and what else OSC, DCS and APC carry. What a program puts into the clipboard, decoded (OSC 52). And the bytes as they
/// are, for tokens. In none of them the syntax of sequences counts as a secret.
struct StreamScan {
    /// A piece of the stream as it is by now.
    struct Segment {
        var bytes: ArraySlice<UInt8>
        /// Where its first byte stands in the original.
        var offset: UInt64
        /// It stands for something that was taken out.
        var isReplacement = false
    }

    private struct View {
        var line = StreamLine()
        var search: SecretSearch
        var tokensOnly = false
    }

    private let plan: RedactionPlan
    private var classifier = OutputClassifier()
    private var text: View
    private var payload: View
    private var raw: View
    private var clipboard: View
    private var decoder = ClipboardDecoder()
    private var findings: [SecretFinding] = []
    /// Whether it is read as what a user types: a backspace takes a character back.
    private let isInput: Bool

    init(_ plan: RedactionPlan, _ known: FoundSecrets, isInput: Bool = false) {
        self.plan = plan
        self.isInput = isInput
        let search = SecretSearch(plan, known)
        text = View(search: search)
        payload = View(search: search)
        raw = View(search: search, tokensOnly: true)
        clipboard = View(search: search)
    }

    /// Returns what was found since the last call.
    mutating func takeFindings() -> [SecretFinding] {
        defer { findings = [] }
        return findings
    }

    /// The line of text that has not ended.
    var openText: ArraySlice<UInt8> { text.line.bytes[...] }

    mutating func take(_ segment: Segment) {
        let bytes = segment.bytes
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let offset = segment.isReplacement ? nil : segment.offset + UInt64(index - bytes.startIndex)
            let end = classifier.endOfText(bytes, index)
            if end > index {
                add(bytes[index..<end], offset, isText: classifier.isBetweenSequences)
                index = end
            } else {
                take(bytes[index], offset)
                index += 1
            }
        }
    }

    /// There are no more bytes.
    mutating func finish() {
        end(\.text)
        end(\.payload)
        end(\.clipboard)
        end(\.raw)
    }

    /// Adds characters that are printed, or those of a text in a sequence.
    private mutating func add(_ part: ArraySlice<UInt8>, _ offset: UInt64?, isText: Bool) {
        raw.line.append(part, from: offset)
        shorten(\.raw)
        if isText {
            text.line.append(part, from: offset)
            shorten(\.text)
        } else {
            payload.line.append(part, from: offset)
            shorten(\.payload)
            decode(part, offset)
        }
    }

    private mutating func take(_ byte: UInt8, _ offset: UInt64?) {
        let part = classifier.take(byte)
        if byte == 0x0A {
            end(\.raw)
        } else {
            raw.line.append(byte, from: part == .text || part == .payload ? offset : nil)
        }
        if isInput, edit(byte) { return }
        switch part {
        case .text:
            text.line.append(byte, from: offset)
            shorten(\.text)
        case .blank: text.line.append(0x20, from: nil)
        case .end: end(\.text)
        case .payload:
            payload.line.append(byte, from: offset)
            decode([byte], offset)
        case .payloadEnd:
            end(\.payload)
            end(\.clipboard)
            decoder = ClipboardDecoder()
        case .control: break
        }
    }

    /// What a line discipline does with the keys that edit (termios(3)); true where it was one of them.
    private mutating func edit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x7F, 0x08:
            search(\.text)
            text.line.removeLast()
        case 0x15, 0x03: end(\.text)
        case 0x17:
            search(\.text)
            while text.line.bytes.last == 0x20 { text.line.removeLast() }
            while let last = text.line.bytes.last, last != 0x20 { text.line.removeLast() }
        default: return false
        }
        return true
    }

    private mutating func decode(_ part: ArraySlice<UInt8>, _ offset: UInt64?) {
        for (index, byte) in zip(part.indices, part) {
            let place = offset.map { $0 + UInt64(index - part.startIndex) }
            guard let decoded = decoder.take(byte, place) else { continue }
            for (content, offset) in decoded {
                if content == 0x0A || content == 0x0D {
                    end(\.clipboard)
                } else {
                    clipboard.line.append(content, from: offset)
                    shorten(\.clipboard)
                }
            }
        }
    }

    // MARK: - Lines

    private mutating func shorten(_ view: WritableKeyPath<StreamScan, View>) {
        while self[keyPath: view].line.isFull {
            search(view)
            self[keyPath: view].line.dropHalf()
        }
    }

    private mutating func end(_ view: WritableKeyPath<StreamScan, View>) {
        guard !self[keyPath: view].line.isEmpty else { return }
        search(view)
        self[keyPath: view].line.removeAll()
    }

    private mutating func search(_ view: WritableKeyPath<StreamScan, View>) {
        let tokensOnly = self[keyPath: view].tokensOnly
        let line = self[keyPath: view].line
        let matches = self[keyPath: view].search.matches(
            in: line.bytes[...],
            isWhole: line.isWhole,
            tokensOnly: tokensOnly
        )
        guard !matches.isEmpty else { return }
        let isClipboard = view == \StreamScan.clipboard
        for match in matches {
            var (ranges, value) = line.origin(of: match.range)
            // What is all syntax, or was taken out, is no secret.
            guard !ranges.isEmpty, !plan.isReplacement(value) else { continue }
            if isClipboard, let first = ranges.first, let last = ranges.last {
                // A byte that is decoded begins in its character; those of four make three.
                ranges = [first.lowerBound..<last.upperBound + 2]
            }
            findings.append(SecretFinding(ranges: ranges, value: value, match: match))
        }
    }
}
