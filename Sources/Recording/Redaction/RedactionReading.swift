import Core
import Terminal

/// Searches a recording for secrets: its output and its input as streams, and its output also as screens.
struct RedactionReading {
    private let plan: RedactionPlan
    private let known: FoundSecrets
    private let clean: CleanLines
    private var output: StreamScan
    private var input: StreamScan
    private var screen: ScreenScan?
    /// The input typed at a password prompt, up to the end of the line.
    private var answer: SecretSearch.Finding?
    private var isInAnswer = false
    private var isLineStart = true

    init(_ plan: RedactionPlan, _ known: FoundSecrets, _ clean: CleanLines) {
        self.plan = plan
        self.known = known
        self.clean = clean
        output = StreamScan(plan, known, clean)
        input = StreamScan(plan, known, clean, isInput: true)
    }

    mutating func begin(_ size: TerminalSize) {
        screen = ScreenScan(size, plan, known, clean)
    }

    /// Processes an output event; returns the secrets completed by it.
    mutating func consume(output segments: [StreamScan.Segment]) -> [SecretSearch.Finding] {
        for segment in segments {
            output.consume(segment)
            screen?.consume(segment)
        }
        screen?.see()
        return output.takeFindings() + (screen?.takeFindings() ?? [])
    }

    /// Processes an input event; returns the secrets completed by it.
    mutating func consume(input segments: [StreamScan.Segment]) -> [SecretSearch.Finding] {
        for segment in segments {
            input.consume(segment)
            if plan.findsKnown { collectAnswer(segment) }
        }
        var findings = input.takeFindings()
        if let answer, !isInAnswer {
            self.answer = nil
            findings.append(answer)
        }
        return findings
    }

    mutating func resize(to size: TerminalSize) {
        screen?.resize(to: size)
    }

    /// Processes the remaining data; must be called after the last event.
    mutating func finish() -> (output: [SecretSearch.Finding], input: [SecretSearch.Finding]) {
        output.finish()
        input.finish()
        screen?.see(isLast: true)
        let findings = output.takeFindings() + (screen?.takeFindings() ?? [])
        return (findings, input.takeFindings() + (answer.map { [$0] } ?? []))
    }

    // MARK: - Password input

    /// Collects the input typed after output that ends with a password prompt.
    private mutating func collectAnswer(_ segment: StreamScan.Segment) {
        for (index, byte) in zip(segment.bytes.indices, segment.bytes) {
            if byte == 0x0D || byte == 0x0A {
                (isInAnswer, isLineStart) = (false, true)
                continue
            }
            if isLineStart {
                isLineStart = false
                isInAnswer = Self.isPrompt(output.openText)
            }
            guard isInAnswer, byte >= 0x20, byte != 0x7F, !segment.isReplacement else { continue }
            let offset = segment.offset + UInt64(index - segment.bytes.startIndex)
            guard !plan.isReplacement([byte]) else { continue }
            let match = SecretSearch.Match(range: 0..<0, rule: "password")
            var finding = answer ?? SecretSearch.Finding(ranges: [], value: [], match: match)
            finding.ranges.append(offset..<offset + 1)
            finding.value.append(byte)
            answer = finding
        }
    }

    /// Whether a line ends with a prompt such as `Password: ` or `Enter passphrase for key '/home/bob/.ssh/id_rsa': `.
    static func isPrompt(_ line: ArraySlice<UInt8>) -> Bool {
        let end = line.suffix(160)
        guard let last = end.last(where: { $0 != 0x20 }), last == UInt8(ascii: ":") || last == UInt8(ascii: "?") else {
            return false
        }
        let text = LineText(end)
        let words: [StaticString] = ["password", "passphrase", "passcode", "passwort", "secret", "token", "pin:"]
        return words.contains { text.has($0, in: 0..<text.count) }
    }
}
