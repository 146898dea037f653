/// Removes escape sequences, or parts of them, from terminal output, however it is split into chunks.
///
/// Sequences are recognized as in `EscapeScanner`: C1 controls are text. A sequence that may have to be changed is held
/// back until it ends; one that is longer than any that a rule applies to is passed.
package struct OutputFilter: Sendable {
    /// What to remove.
    package enum Rule: String, CaseIterable, Sendable {
        /// All escape sequences.
        case all = "strip"
        /// Background colors.
        case backgrounds = "strip-bg"
        /// DEC line attributes, such as double height, and the screen alignment pattern: `ESC # 3` to `ESC # 8`.
        case lineAttributes = "strip-decline"
        /// The start and end of synchronized output, mode 2026.
        case synchronization = "strip-sync"
    }

    /// What happens to the bytes of the open sequence.
    private enum Fate {
        case held, passed, removed
    }

    private let removesAll: Bool
    private let removesBackgrounds: Bool
    private let removesLineAttributes: Bool
    private let removesSynchronization: Bool
    private var machine = EscapeMachine()
    private var fate = Fate.held
    /// The open sequence, from its start, while its fate is not known; in strings, an `ESC` that may end it.
    private var held: [UInt8] = []
    /// Whether the open sequence has canceled another one, of which a part has been passed.
    private var cancelsAnother = false
    /// The number of bytes of the open device control string that match `passThroughMark`; nil if it does not match.
    private var matched: Int?

    private static let escape: UInt8 = 0x1B
    private static let cancel: UInt8 = 0x18
    private static let passThroughMark = Array("tmux;".utf8)
    /// The maximum length of a sequence that is held back.
    private static let heldLimitBytes = 1024

    package init(_ rules: some Sequence<Rule>) {
        let rules = Set(rules)
        removesAll = rules.contains(.all)
        removesBackgrounds = rules.contains(.backgrounds)
        removesLineAttributes = rules.contains(.lineAttributes)
        removesSynchronization = rules.contains(.synchronization)
    }

    /// Returns the bytes that remain, including any held back earlier.
    package mutating func filter(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + held.count + 1)
        unsafe bytes.withUnsafeBytes { bytes in unsafe filter(bytes, to: &output) }
        return output
    }

    /// Returns what is held back at the end of the output, and starts again.
    package mutating func finish() -> [UInt8] {
        defer {
            machine = EscapeMachine()
            held = []
            cancelsAnother = false
        }
        return fate == .removed ? [] : held
    }

    private mutating func filter(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        guard let start = bytes.baseAddress else { return }
        var index = 0
        while index < bytes.count {
            switch machine.state {
            case .ground: index = unsafe passText(bytes, start, from: index, to: &output)
            case .string where matched == nil || matched == Self.passThroughMark.count:
                var next = index
                while next < bytes.count, unsafe bytes[next] >= 0x20 { next += 1 }
                if fate == .passed {
                    unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[index..<next]))
                }
                index = next
            default: break
            }
            guard index < bytes.count else { return }
            consume(unsafe bytes[index], &output)
            index += 1
        }
    }

    /// Passes text, and passes, changes or removes control sequences that are complete.
    ///
    /// Returns the index of the first other sequence.
    private func passText(
        _ bytes: UnsafeRawBufferPointer,
        _ start: UnsafeRawPointer,
        from first: Int,
        to output: inout [UInt8]
    ) -> Int {
        var (passed, index) = (first, first)
        var next = bytes.count
        while let escape = unsafe EscapeMachine.nextEscape(start, index, bytes.count) {
            guard let end = unsafe Self.endOfControlSequence(bytes, escape) else {
                next = escape
                break
            }
            index = end
            if removesAll {
                unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[passed..<escape]))
                passed = end
            } else if mayChange(unsafe bytes[end - 1]) {
                unsafe Self.cutParameters(bytes, escape..<end, passed: &passed, to: &output)
            }
        }
        unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[passed..<next]))
        return next
    }

    /// The end of the control sequence that starts at an index; nil if it is another sequence, long or incomplete.
    private static func endOfControlSequence(_ bytes: UnsafeRawBufferPointer, _ escape: Int) -> Int? {
        guard escape + 2 < bytes.count, unsafe bytes[escape + 1] == UInt8(ascii: "[") else { return nil }
        let limit = min(bytes.count, escape + heldLimitBytes)
        var index = escape + 2
        while index < limit {
            let byte = unsafe bytes[index]
            index += 1
            guard byte &- 0x20 >= 0x20 else { continue }
            return 0x40..<0x7F ~= byte ? index : nil
        }
        return nil
    }

    private mutating func consume(_ byte: UInt8, _ output: inout [UInt8]) {
        let previous = machine.state
        if byte >= 0x80, previous != .stringEscape { return keep(byte, &output) }
        let isPassThrough = previous == .stringEscape && matched == Self.passThroughMark.count
        switch machine.consume(byte, isPassThrough: isPassThrough) {
        case .begin:
            pass(&output)
            begin(cancelsAnother: previous != .ground && fate == .passed)
        case .beginBefore:
            begin(cancelsAnother: fate == .passed)
            consume(byte, &output)
        case .none where machine.state == .stringEscape: held = [byte]
        case .control where machine.state == .ground, .endInvalid:
            keep(byte, &output)
            pass(&output)
        case .control where fate == .removed: output.append(byte)
        case .beginDevice:
            pass(&output)
            keep(byte, &output)
            matched = 0
        case .beginString:
            pass(&output)
            keep(byte, &output)
        case .text, .endString:
            if previous == .stringEscape {
                held.removeAll(keepingCapacity: true)
                if fate == .passed { output.append(Self.escape) }
            }
            keep(byte, &output)
        case .endEscape, .endControl:
            keep(byte, &output)
            if fate == .held { end(byte, &output) }
        case .none, .control, .beginControl, .marker, .digit, .separator, .intermediate, .invalid: keep(byte, &output)
        }
    }

    // MARK: - The open sequence

    private mutating func begin(cancelsAnother: Bool) {
        self.cancelsAnother = cancelsAnother
        matched = nil
        held.removeAll(keepingCapacity: true)
        fate = removesAll ? .removed : .held
        if fate == .held { held.append(Self.escape) }
    }

    /// Adds a byte to the sequence.
    private mutating func keep(_ byte: UInt8, _ output: inout [UInt8]) {
        if let count = matched, count < Self.passThroughMark.count {
            matched = byte == Self.passThroughMark[count] ? count + 1 : nil
        }
        switch fate {
        case .held:
            held.append(byte)
            if held.count > Self.heldLimitBytes { pass(&output) }
        case .passed: output.append(byte)
        case .removed: break
        }
    }

    /// Passes the sequence, unless it is being removed.
    private mutating func pass(_ output: inout [UInt8]) {
        guard fate == .held else { return }
        output += held
        held.removeAll(keepingCapacity: true)
        fate = .passed
    }

    // MARK: - Rules

    /// Whether a rule may change sequences with this final byte.
    private func mayChange(_ final: UInt8) -> Bool {
        switch final {
        case UInt8(ascii: "m"): removesBackgrounds
        case UInt8(ascii: "h"), UInt8(ascii: "l"): removesSynchronization
        case UInt8(ascii: "3")...UInt8(ascii: "8"): removesLineAttributes
        default: false
        }
    }

    /// Passes, changes or removes a complete escape sequence or control sequence.
    private mutating func end(_ final: UInt8, _ output: inout [UInt8]) {
        guard mayChange(final) else { return pass(&output) }
        let isPlain = held.dropFirst().allSatisfy { 0x20..<0x7F ~= $0 }
        let sequence = isPlain ? held : held.filter { $0 == Self.escape || $0 >= 0x20 && $0 != 0x7F }
        guard let remaining = Self.remaining(of: sequence, final) else { return pass(&output) }
        // Control characters inside a sequence act as if they preceded it.
        if !isPlain { output += held.dropFirst().filter { $0 < 0x20 } }
        if remaining.isEmpty, cancelsAnother {
            // Otherwise, the canceled sequence would continue with the bytes that follow (ECMA-48 §8.3.6).
            output.append(Self.cancel)
        }
        output += remaining
        held.removeAll(keepingCapacity: true)
    }

    /// Returns what remains of a sequence; nil if no rule changes it.
    private static func remaining(of sequence: [UInt8], _ final: UInt8) -> [UInt8]? {
        guard sequence[1] == UInt8(ascii: "[") else {
            let isChanged = sequence.count == 3 && sequence[1] == UInt8(ascii: "#") && final != UInt8(ascii: "7")
            return isChanged ? [] : nil
        }
        var (remaining, passed) = ([UInt8](), 0)
        unsafe sequence.withUnsafeBytes { bytes in
            unsafe cutParameters(bytes, 0..<bytes.count, passed: &passed, to: &remaining)
        }
        return passed > 0 ? remaining + sequence[passed...] : nil
    }

    /// Cuts the parameters that a rule removes out of a control sequence, and all of the sequence if none remain.
    ///
    /// Appends the bytes from `passed` up to each cut, and sets `passed` to the end of the last cut. Does nothing if there
    /// is nothing to remove, or if the sequence has bytes other than parameters. The value of a parameter is the number
    /// before its first colon; an omitted one is 0.
    private static func cutParameters(
        _ bytes: UnsafeRawBufferPointer,
        _ sequence: Range<Int>,
        passed: inout Int,
        to output: inout [UInt8]
    ) {
        let end = sequence.upperBound - 1
        let isColor = unsafe bytes[end] == UInt8(ascii: "m")
        if !isColor, unsafe bytes[sequence.lowerBound + 2] != UInt8(ascii: "?") { return }
        let first = sequence.lowerBound + (isColor ? 2 : 3)
        for index in first..<end where !(unsafe 0x30...0x3B ~= bytes[index]) { return }
        var colors = ColorParameters()
        var (start, isKept) = (first, false)
        // The parameters that have been removed since the last one that remains.
        var cut: Range<Int>?
        while start <= end {
            var (stop, value, hasColon) = (start, 0, false)
            while case let digit = unsafe bytes[stop] &- UInt8(ascii: "0"), digit < 10 {
                value = min(value &* 10 &+ Int(digit), 1_000_000)
                stop += 1
            }
            while stop < end, unsafe bytes[stop] != UInt8(ascii: ";") {
                hasColon = true
                stop += 1
            }
            if isColor ? colors.isBackground(value, hasColon: hasColon) : value == 2026 && !hasColon {
                // A removed parameter is cut with the semicolon before it or, at the start, after it.
                cut = isKept ? (cut?.lowerBound ?? start - 1)..<stop : first..<min(stop + 1, end)
            } else {
                if let cut {
                    unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[passed..<cut.lowerBound]))
                    passed = cut.upperBound
                }
                (cut, isKept) = (nil, true)
            }
            start = stop + 1
        }
        guard let cut = isKept ? cut : sequence else { return }
        unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[passed..<cut.lowerBound]))
        passed = cut.upperBound
    }
}

/// Tells the parameters of SGR that select a background color from those that do not, in order.
private struct ColorParameters {
    /// Whether the next parameter is the kind of a color: 5 for an index, 2 for red, green and blue.
    private var isKindNext = false
    /// The number of following parameters that belong to the color.
    private var components = 0
    private var isBackground = false

    mutating func isBackground(_ value: Int, hasColon: Bool) -> Bool {
        if isKindNext {
            isKindNext = false
            components = value == 5 ? 1 : value == 2 ? 3 : 0
            return isBackground
        }
        if components > 0 {
            components -= 1
            return isBackground
        }
        switch value {
        case 38, 48, 58:
            isKindNext = !hasColon
            isBackground = value == 48
            return isBackground
        case 40...47, 100...107: return true
        default: return false
        }
    }
}
