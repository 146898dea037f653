import Core
import System
import Terminal

/// Redacts secrets in a recording, and verifies that they are gone.
///
/// The recording is examined as streams (the text of its output and input, and text within sequences) and as the
/// screens of a terminal that tracks which bytes painted each cell. All secrets found either way are replaced. The
/// result is kept in an unnamed file and examined again: if it still contains a secret, or a part of one found before,
/// the redaction is repeated; if that fails, an error is thrown and nothing is written.
package struct RecordingRedactor {
    /// The result of a redaction.
    package struct Report: Hashable, Sendable {
        /// The number of replacements.
        package var count: Int
        /// The rules that matched, sorted.
        package var rules: [String]
    }

    private let plan: RedactionPlan
    private let diagnostics: any Diagnostics
    private let clean = CleanLines()
    private var output = RedactionEdits()
    private var input = RedactionEdits()
    /// The secrets found, which are also searched for elsewhere.
    private var known = FoundSecrets()
    /// The rules that matched in the output and the input.
    private var rules: Set<String> = []

    package init(_ plan: RedactionPlan, _ diagnostics: any Diagnostics) {
        self.plan = plan
        self.diagnostics = diagnostics
    }

    /// The maximum number of passes; several might be needed, because a replacement can make other text match a rule.
    private static let maximumRounds = 8

    /// Reads a recording, and calls `write` with the bytes of the result once it is verified.
    ///
    /// - Throws: `negative` when a secret cannot be redacted; nothing is then written.
    package consuming func redact(
        _ source: RecordingFile,
        _ write: ([UInt8]) throws(VTError) -> Void
    ) throws(VTError) -> Report {
        var fields = FieldRedactor(plan, FoundSecrets(), clean)
        var result = try SpoolFile()
        for round in 1...Self.maximumRounds {
            diagnostics.progress("\(source.name): looking for secrets, pass \(round)")
            let isChanged = try search(source)
            fields = FieldRedactor(plan, known, clean)
            let spool = try SpoolFile()
            try self.write(source, &fields) { bytes throws(VTError) in try spool.append(bytes) }
            for secret in fields.secrets { known.insert(secret, markBytes: 0) }
            result = spool
            // If the first pass found nothing, the items were written unchanged and need no verification.
            if round == 1, !isChanged, fields.count == 0 { break }
            diagnostics.progress("\(source.name): verifying the result")
            guard let rule = try remainingRule(in: spool) else { break }
            guard isChanged || round == 1, round < Self.maximumRounds else {
                throw VTError(
                    .negative,
                    "\(source.name): cannot remove all secrets (remaining: \(rule))",
                    hint: "nothing was written; use 'vt cast cut' to remove the part that shows them"
                )
            }
        }
        var offset: Int64 = 0
        while true {
            let bytes = try result.read(at: offset, limit: 256 << 10)
            guard !bytes.isEmpty else { break }
            offset += Int64(bytes.count)
            try write(bytes)
        }
        let count = output.count + input.count + fields.count
        return Report(count: count, rules: rules.union(fields.rules).sorted())
    }

    // MARK: - Searching

    /// The maximum number of readings in a search: one for late findings of each kind, and one that finds nothing new.
    private static let maximumReadings = 4

    /// Reads the recording with the redactions so far, again if a line shows that others are secrets; returns whether
    /// anything new to redact was found.
    private mutating func search(_ source: RecordingFile) throws(VTError) -> Bool {
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
        var reading = RedactionReading(plan, known, clean, output, input)
        try source.forEach { item throws(VTError) in
            try add(reading.consume(item))
            return true
        }
        try add(reading.finish())
        let isOutputChanged = output.mergeRanges()
        return input.mergeRanges() || isOutputChanged
    }

    private mutating func add(_ findings: RedactionReading.Findings) throws(VTError) {
        for finding in findings.output { try output.add(finding.ranges) }
        for finding in findings.input { try input.add(finding.ranges) }
        for finding in findings.all where finding.match.isByRule {
            rules.insert(finding.match.rule)
            known.insert(finding.value, markBytes: finding.match.markBytes)
        }
    }

    // MARK: - Writing and verification

    /// Writes the redacted recording in the original's version, or v3 for v1; the times of all events are unchanged.
    private func write(
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
                case .marker, .other: event.data = fields.redacted(event.data)
                case .resize, .exit: break
                }
                writer.write(event)
            }
            if writer.count > 1 << 18 { try writer.drain(write) }
            return true
        }
        try writer.drain(write)
    }

    /// Reads the result like any recording, and searches all parts of it for secrets, and for parts of secrets that
    /// were found before; returns the rule that found the first one.
    private func remainingRule(in spool: borrowing SpoolFile) throws(VTError) -> String? {
        var reader = AsciicastReader(.strict)
        var reading = RedactionReading(plan, known, clean)
        var offset: Int64 = 0
        var isEnded = false
        var rule: String?
        while !isEnded, rule == nil {
            let bytes = try spool.read(at: offset, limit: 256 << 10)
            offset += Int64(bytes.count)
            isEnded = bytes.isEmpty
            if isEnded { reader.finish() } else { reader.append(bytes) }
            // What the other items show about earlier lines is also recorded, in `clean`.
            while let item = try reader.next() {
                let found = reading.consume(item).all.first?.match.rule ?? ruleOfFields(in: item)
                rule = rule ?? found
            }
        }
        let rest = reading.finish().all.first?.match.rule
        return rule ?? rest
    }

    private func ruleOfFields(in item: RecordingItem) -> String? {
        var fields = FieldRedactor(plan, known, clean)
        switch item {
        case .header(let header): _ = fields.redacted(header)
        case .event(let event):
            switch event.content {
            case .marker, .other:
                _ = fields.redacted(event.data)
                _ = fields.redacted(event.code)
            case .output, .input, .resize, .exit: break
            }
        }
        return fields.rules.min()
    }
}
