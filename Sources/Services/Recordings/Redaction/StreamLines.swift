import Core

/// Breaks the bytes for a terminal into lines to look for secrets in, and knows of each byte where it came from.
///
/// There are three views of the same bytes. The text: what is printed, with what only colours it or sets a mode left out,
/// up to the next line feed, carriage return or movement of the cursor. The texts that stand in sequences: titles, links
/// and what else OSC, DCS and APC carry. And the bytes as they are. In none of them the syntax of sequences counts as a
/// secret.
struct StreamLines {
    /// A piece of the stream as it is by now.
    struct Segment {
        var bytes: ArraySlice<UInt8>
        /// Where its first byte stands in the original.
        var offset: UInt64
        /// It stands for something that was taken out: all its bytes have the offset of that.
        var isReplacement = false
    }

    /// A line of one of the views.
    struct Line {
        var bytes: [UInt8] = []
        /// Where each byte came from; nil for what is not to be changed.
        var offsets: [UInt64?] = []
        var isWhole = true
    }

    private var classifier = OutputClassifier()
    private var text = Line()
    private var payload = Line()
    private var raw = Line()

    /// Of a longer line one half is let go; a secret is shorter than the other.
    private static let limitBytes = 64 << 10

    /// Takes the next bytes; calls with lines that end in them.
    mutating func take(_ segment: Segment, _ found: (inout Line, View) -> Void) {
        for (index, byte) in zip(segment.bytes.indices, segment.bytes) {
            let offset = segment.offset + (segment.isReplacement ? 0 : UInt64(index - segment.bytes.startIndex))
            let source = segment.isReplacement ? nil : offset
            let part = classifier.take(byte)
            switch part {
            case .text: Self.add(byte, source, to: &text, .text, found)
            case .blank: Self.add(0x20, nil, to: &text, .text, found)
            case .end: Self.end(&text, .text, found)
            case .payload: Self.add(byte, source, to: &payload, .payload, found)
            case .payloadEnd: Self.end(&payload, .payload, found)
            case .control: break
            }
            if byte == 0x0A {
                Self.end(&raw, .raw, found)
            } else {
                Self.add(byte, part == .text || part == .payload ? source : nil, to: &raw, .raw, found)
            }
        }
    }

    /// There are no more bytes.
    mutating func finish(_ found: (inout Line, View) -> Void) {
        Self.end(&text, .text, found)
        Self.end(&payload, .payload, found)
        Self.end(&raw, .raw, found)
    }

    enum View {
        case text, payload, raw
    }

    private static func add(
        _ byte: UInt8,
        _ offset: UInt64?,
        to line: inout Line,
        _ view: View,
        _ found: (inout Line, View) -> Void
    ) {
        if line.bytes.count >= limitBytes {
            found(&line, view)
            // The rest begins with a whole character.
            var cut = limitBytes / 2
            while cut < line.bytes.count, line.bytes[cut] & 0xC0 == 0x80 { cut += 1 }
            line.bytes.removeFirst(cut)
            line.offsets.removeFirst(cut)
            line.isWhole = false
        }
        line.bytes.append(byte)
        line.offsets.append(offset)
    }

    private static func end(_ line: inout Line, _ view: View, _ found: (inout Line, View) -> Void) {
        found(&line, view)
        line.bytes.removeAll(keepingCapacity: true)
        line.offsets.removeAll(keepingCapacity: true)
        line.isWhole = true
    }
}
