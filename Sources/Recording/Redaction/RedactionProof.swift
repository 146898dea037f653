/// Searches all parts of a recording for secrets, and for parts of secrets that were found before.
struct RedactionProof {
    private let plan: RedactionPlan
    private let known: FoundSecrets
    private let clean: CleanLines
    private var reading: RedactionReading
    private var offset: UInt64 = 0
    private var inputOffset: UInt64 = 0
    /// The rule that found the first secret; nil if no secret has been found.
    private(set) var found: String?

    init(_ plan: RedactionPlan, _ known: FoundSecrets, _ clean: CleanLines) {
        self.plan = plan
        self.known = known
        self.clean = clean
        reading = RedactionReading(plan, known, clean)
    }

    mutating func consume(_ item: RecordingItem) {
        switch item {
        case .header(let header):
            reading.begin(header.size)
            var fields = FieldRedactor(plan, known, clean)
            _ = fields.redacted(header)
            record(fields.rules.min())
        case .event(let event): consume(event)
        }
    }

    mutating func finish() {
        let rest = reading.finish()
        record((rest.output + rest.input).first?.match.rule)
    }

    private mutating func consume(_ event: RecordingEvent) {
        var rule: String?
        switch event.content {
        case .output(let bytes):
            let segment = StreamScan.Segment(bytes: bytes[...], offset: offset)
            offset += UInt64(bytes.count)
            rule = reading.consume(output: [segment]).first?.match.rule
        case .input(let bytes):
            let segment = StreamScan.Segment(bytes: bytes[...], offset: inputOffset)
            inputOffset += UInt64(bytes.count)
            rule = reading.consume(input: [segment]).first?.match.rule
        case .resize(let size): reading.resize(to: size)
        case .exit: break
        case .marker, .other:
            var fields = FieldRedactor(plan, known, clean)
            _ = fields.redacted(event.data)
            _ = fields.redacted(event.code)
            rule = fields.rules.min()
        }
        record(rule)
    }

    private mutating func record(_ rule: String?) {
        found = found ?? rule
    }
}
