import Core
import Recording
import Terminal

/// Finds out which bytes painted the secrets that a terminal shows.
///
/// The line of the cursor is looked at after everything that may have changed it: text, and sequences that do more than
/// set looks and modes.
struct ScreenTrace {
    private var screen: TracedScreen
    private var search: SecretSearch
    private var classifier = OutputClassifier()
    private var controls: [UInt8] = []
    private var isChanged = false

    init(_ size: TerminalSize, _ plan: RedactionPlan) {
        screen = TracedScreen(size: size)
        search = SecretSearch(plan)
    }

    mutating func resize(to size: TerminalSize) {
        if size != screen.size { screen.resize(to: size) }
    }

    /// Takes the next bytes, whole characters; calls with where those came from that painted a secret.
    mutating func take(
        _ segment: StreamLines.Segment,
        _ found: (ArraySlice<UInt64?>) throws(VTError) -> Void
    ) throws(VTError) {
        guard segment.offset + UInt64(segment.bytes.count) < UInt64(UInt32.max) else {
            throw VTError(.dataInvalid, "more than 4 GiB of output cannot be searched for painted secrets")
        }
        var index = segment.bytes.startIndex
        while index < segment.bytes.endIndex {
            let part = classifier.take(segment.bytes[index])
            guard part == .text else {
                if isChanged, controls.isEmpty { try look(found) }
                controls.append(segment.bytes[index])
                index += 1
                if part == .end || controls.count > 4096 {
                    flush()
                    isChanged = true
                    try look(found)
                }
                continue
            }
            flush()
            var end = index + 1
            while end < segment.bytes.endIndex, segment.bytes[end] & 0xC0 == 0x80 {
                _ = classifier.take(segment.bytes[end])
                end += 1
            }
            let origin = segment.isReplacement ? 0 : segment.offset + UInt64(index - segment.bytes.startIndex) + 1
            screen.write(segment.bytes[index..<end], from: UInt32(origin))
            isChanged = true
            index = end
        }
    }

    /// An event is over.
    mutating func see(_ found: (ArraySlice<UInt64?>) throws(VTError) -> Void) throws(VTError) {
        flush()
        if isChanged { try look(found) }
    }

    private mutating func flush() {
        guard !controls.isEmpty else { return }
        screen.feed(controls[...])
        controls.removeAll(keepingCapacity: true)
    }

    private mutating func look(_ found: (ArraySlice<UInt64?>) throws(VTError) -> Void) throws(VTError) {
        isChanged = false
        let line = screen.cursorLine
        for (range, _) in search.secrets(in: line.text, isWhole: line.isWhole) {
            let offsets = line.origins[range].map { $0 == 0 ? nil : UInt64($0) - 1 }
            try found(offsets[...])
        }
    }
}
