import Core
import Terminal

/// Searches a recording for secrets: its output and its input as streams, and its output also as screens.
struct RedactionReading {
    /// Secrets in the output and in the input.
    struct Findings {
        var output: [SecretSearch.Finding] = []
        var input: [SecretSearch.Finding] = []

        var all: [SecretSearch.Finding] { output + input }
    }

    private let plan: RedactionPlan
    private let known: FoundSecrets
    private let clean: CleanLines
    private let outputEdits: RedactionEdits
    private let inputEdits: RedactionEdits
    private var outputOffset: UInt64 = 0
    private var inputOffset: UInt64 = 0
    private var output: StreamScan
    private var input: StreamScan
    private var screen: ScreenScan?
    /// The input typed at a password prompt, up to the end of the line.
    private var answer: SecretSearch.Finding?
    private var isInAnswer = false
    private var isLineStart = true

    /// Searches a recording with these redactions.
    init(
        _ plan: RedactionPlan,
        _ known: FoundSecrets,
        _ clean: CleanLines,
        _ outputEdits: RedactionEdits = RedactionEdits(),
        _ inputEdits: RedactionEdits = RedactionEdits()
    ) {
        self.plan = plan
        self.known = known
        self.clean = clean
        self.outputEdits = outputEdits
        self.inputEdits = inputEdits
        output = StreamScan(plan, known, clean)
        input = StreamScan(plan, known, clean, isInput: true)
    }

    /// Processes the next item; returns the secrets completed by it.
    mutating func consume(_ item: RecordingItem) -> Findings {
        switch item {
        case .header(let header): screen = ScreenScan(header.size, plan, known, clean)
        case .event(let event):
            switch event.content {
            case .output(let bytes): return Findings(output: consume(output: bytes))
            case .input(let bytes): return Findings(input: consume(input: bytes))
            case .resize(let size): screen?.resize(to: size)
            case .marker, .exit, .other: break
            }
        }
        return Findings()
    }

    private mutating func consume(output bytes: [UInt8]) -> [SecretSearch.Finding] {
        for segment in outputEdits.segments(of: bytes, at: outputOffset, plan) {
            output.consume(segment)
            screen?.consume(segment)
        }
        outputOffset += UInt64(bytes.count)
        screen?.see()
        return output.takeFindings() + (screen?.takeFindings() ?? [])
    }

    private mutating func consume(input bytes: [UInt8]) -> [SecretSearch.Finding] {
        for segment in inputEdits.segments(of: bytes, at: inputOffset, plan) {
            input.consume(segment)
            if plan.findsKnown { collectAnswer(segment) }
        }
        inputOffset += UInt64(bytes.count)
        var findings = input.takeFindings()
        if let answer, !isInAnswer {
            self.answer = nil
            findings.append(answer)
        }
        return findings
    }

    /// Processes the remaining data; must be called after the last event.
    mutating func finish() -> Findings {
        output.finish()
        input.finish()
        screen?.see(isLast: true)
        return Findings(
            output: output.takeFindings() + (screen?.takeFindings() ?? []),
            input: input.takeFindings() + (answer.map { [$0] } ?? [])
        )
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
