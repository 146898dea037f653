import Core
import Recording

/// Looks for secrets in all parts of a recording, in every form.
struct RedactionProof {
    private let plan: RedactionPlan
    private var output: StreamScan
    private var input: StreamScan
    private var screen: ScreenScan?
    private var offset: UInt64 = 0
    private var foundElsewhere: String?

    init(_ plan: RedactionPlan) {
        self.plan = plan
        output = StreamScan(plan)
        input = StreamScan(plan)
    }

    /// What the first secret was found by; nil where there is none.
    var found: String? { foundElsewhere ?? screen?.found }

    mutating func take(_ item: RecordingItem) throws(VTError) {
        switch item {
        case .header(let header):
            screen = ScreenScan(header.size, plan)
            var fields = FieldRedactor(plan)
            _ = fields.redacted(header)
            note(fields.rules.min())
        case .event(let event): try take(event)
        }
    }

    mutating func finish() throws(VTError) {
        var rule: String?
        try output.finish { _, name throws(VTError) in rule = rule ?? name }
        try input.finish { _, name throws(VTError) in rule = rule ?? name }
        note(rule)
        screen?.see()
    }

    private mutating func take(_ event: RecordingEvent) throws(VTError) {
        var rule: String?
        switch event.content {
        case .output(let bytes):
            let segment = StreamLines.Segment(bytes: bytes[...], offset: offset)
            try output.take([segment]) { _, name throws(VTError) in rule = rule ?? name }
            screen?.take(bytes[...])
            screen?.see()
            offset += UInt64(bytes.count)
        case .input(let bytes):
            let segment = StreamLines.Segment(bytes: bytes[...], offset: 0)
            try input.take([segment]) { _, name throws(VTError) in rule = rule ?? name }
        case .resize(let size):
            screen?.resize(to: size)
        case .exit: break
        case .marker, .other:
            var fields = FieldRedactor(plan)
            _ = fields.redacted(event.data)
            _ = fields.redacted(event.code)
            rule = fields.rules.min()
        }
        note(rule)
    }

    private mutating func note(_ rule: String?) {
        foundElsewhere = foundElsewhere ?? rule
    }
}
