import Core
import Terminal

/// Finds the data to redact in a recording, and writes the result.
struct RedactionWork {
    private let plan: RedactionPlan
    private var output = RedactionEdits()
    private var input = RedactionEdits()
    /// The secrets found, which are also searched for elsewhere.
    private(set) var known = FoundSecrets()
    /// The rules that matched.
    private(set) var rules: Set<String> = []

    private let clean: CleanLines

    /// The maximum number of readings in a search: one for late findings of each kind, and one that finds nothing new.
    private static let maximumReadings = 4

    init(_ plan: RedactionPlan, _ clean: CleanLines) {
        self.plan = plan
        self.clean = clean
    }

    /// The number of redacted ranges of output and input.
    var count: Int { output.count + input.count }

    /// Reads the recording with the redactions so far, again if a line shows that others are secrets; returns whether
    /// anything new to redact was found.
    mutating func search(_ source: RecordingFile) throws(VTError) -> Bool {
        var isChanged = false
        for _ in 1...Self.maximumReadings {
            let count = clean.lateCount
            if try read(source) { isChanged = true }
            guard clean.lateCount > count else { break }
            for secret in clean.lateSecrets {
                known.insert(secret.key, markBytes: 0)
                rules.insert(secret.value)
            }
        }
        return isChanged
    }

    private mutating func read(_ source: RecordingFile) throws(VTError) -> Bool {
        var reading = RedactionReading(plan, known, clean)
        var (outputOffset, inputOffset) = (UInt64(0), UInt64(0))
        try source.forEach { item throws(VTError) in
            switch item {
            case .header(let header): reading.begin(header.size)
            case .event(let event):
                switch event.content {
                case .output(let bytes):
                    let segments = output.segments(of: bytes, at: outputOffset, plan)
                    outputOffset += UInt64(bytes.count)
                    try add(reading.consume(output: segments), toInput: false)
                case .input(let bytes):
                    let segments = input.segments(of: bytes, at: inputOffset, plan)
                    inputOffset += UInt64(bytes.count)
                    try add(reading.consume(input: segments), toInput: true)
                case .resize(let size): reading.resize(to: size)
                case .marker, .exit, .other: break
                }
            }
            return true
        }
        let rest = reading.finish()
        try add(rest.output, toInput: false)
        try add(rest.input, toInput: true)
        let isOutputChanged = output.mergeRanges()
        return input.mergeRanges() || isOutputChanged
    }

    private mutating func add(_ findings: [SecretSearch.Finding], toInput: Bool) throws(VTError) {
        for finding in findings {
            if toInput { try input.add(finding.ranges) } else { try output.add(finding.ranges) }
            guard finding.match.isByRule else { continue }
            rules.insert(finding.match.rule)
            known.insert(finding.value, markBytes: finding.match.markBytes)
        }
    }

    /// Adds secrets found outside the output and the input.
    mutating func add(_ secrets: [[UInt8]]) {
        for secret in secrets { known.insert(secret, markBytes: 0) }
    }

    // MARK: - Writing

    /// Writes the redacted recording in the original's version, or v3 for v1; the times of all events are unchanged.
    func write(
        _ source: RecordingFile,
        _ fields: inout FieldRedactor,
        _ write: ([UInt8]) throws(VTError) -> Void
    ) throws(VTError) {
        var writer = AsciicastWriter(.v3)
        var (outputOffset, inputOffset) = (UInt64(0), UInt64(0))
        try source.forEach { item throws(VTError) in
            switch item {
            case .header(let header):
                writer = AsciicastWriter(header.version == .v2 ? .v2 : .v3)
                writer.write(fields.redacted(header))
            case .event(var event):
                switch event.content {
                case .output(let bytes):
                    if let redacted = output.redacted(bytes, at: outputOffset, plan) { event.data = redacted }
                    outputOffset += UInt64(bytes.count)
                case .input(let bytes):
                    if let redacted = input.redacted(bytes, at: inputOffset, plan) { event.data = redacted }
                    inputOffset += UInt64(bytes.count)
                case .marker, .other:
                    event.data = fields.redacted(event.data)
                case .resize, .exit: break
                }
                writer.write(event)
            }
            if writer.count > 1 << 18 { try writer.drain(write) }
            return true
        }
        try writer.drain(write)
    }
}
