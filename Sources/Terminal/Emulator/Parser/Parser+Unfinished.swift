/// Reproduces the incomplete sequence or character as bytes.
extension Parser {
    /// The maximum length of a string that is reproduced; a longer one is replaced with a string that has no effect.
    private static let rewrittenText = 4 << 10

    /// Bytes that put a new parser into the state of this one.
    var unfinished: [UInt8] { sequenceSoFar + utf8.unfinished }

    private var sequenceSoFar: [UInt8] {
        switch state {
        case .ground: []
        case .escape: [0x1B]
        case .escapeIntermediate: [0x1B] + sequence.intermediateBytes
        case .control, .parameters: Array("\u{1B}[".utf8) + sequence.parameterBytes
        case .controlIntermediate: Array("\u{1B}[".utf8) + sequence.parameterBytes + sequence.intermediateBytes
        // A parameter after an intermediate byte makes the sequence invalid, so it is ignored.
        case .controlInvalid: Array("\u{1B}[ 0".utf8)
        case .deviceParameters: Array("\u{1B}P".utf8) + sequence.parameterBytes
        case .deviceIntermediate: Array("\u{1B}P".utf8) + sequence.parameterBytes + sequence.intermediateBytes
        case .string: string
        case .stringEscape: string + [0x1B]
        }
    }

    private var string: [UInt8] {
        let isRewritten = !isTooLong && text.count <= Self.rewrittenText
        return switch machine.stringKind {
        case .command where isRewritten: Array("\u{1B}]".utf8) + text
        case .title where isRewritten: Array("\u{1B}k".utf8) + text
        case .deviceControl where isRewritten:
            Array("\u{1B}P".utf8) + sequence.parameterBytes + sequence.intermediateBytes + [final] + text
        // A privacy message has no effect on any terminal.
        case .command, .deviceControl, .title, .other: Array("\u{1B}^".utf8)
        }
    }
}

extension ControlSequence {
    fileprivate var parameterBytes: [UInt8] {
        var bytes = marker == 0 ? [] : [marker]
        for index in 0..<count {
            if index > 0 { bytes.append(isSubparameter(index) ? UInt8(ascii: ":") : UInt8(ascii: ";")) }
            if let value = value(index) { bytes += Array(String(value).utf8) }
        }
        return bytes
    }

    fileprivate var intermediateBytes: [UInt8] {
        [16, 8, 0].map { UInt8(truncatingIfNeeded: intermediates >> $0) }.filter { $0 != 0 }
    }
}
