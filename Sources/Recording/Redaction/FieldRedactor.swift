import Core

/// Redacts everything except output and input: the header, markers, and the data of other events.
struct FieldRedactor {
    private let plan: RedactionPlan
    private let known: FoundSecrets
    private let clean: CleanLines
    /// The number of replacements; all replacements made in a field in one round count as one.
    private(set) var count = 0
    /// The rules that matched.
    private(set) var rules: Set<String> = []

    /// The maximum number of rounds; several might be needed, because a replacement can make other text match a rule.
    static let maximumRounds = 8

    /// The secrets found by rules.
    private(set) var secrets: [[UInt8]] = []

    init(_ plan: RedactionPlan, _ known: FoundSecrets, _ clean: CleanLines) {
        self.plan = plan
        self.known = known
        self.clean = clean
    }

    /// Returns the text without secrets; `name` enables rules based on names, as in `PASSWORD=…`.
    mutating func redacted(_ text: [UInt8], name: String? = nil) -> [UInt8] {
        var edits = RedactionEdits()
        for _ in 0..<Self.maximumRounds {
            var scan = StreamScan(plan, known, clean)
            if let name {
                let before = Array("\(name)=".utf8)
                scan.consume(StreamScan.Segment(bytes: before[...], offset: 0, isReplacement: true))
            }
            for segment in edits.segments(of: text, at: 0, plan) { scan.consume(segment) }
            scan.finish()
            let findings = scan.takeFindings()
            // A single field never has more secrets than the limit.
            for finding in findings where (try? edits.add(finding.ranges)) == nil { break }
            guard edits.mergeRanges() else { break }
            rules.formUnion(findings.map(\.match.rule))
            secrets += findings.filter(\.match.isByRule).map(\.value)
            count += 1
        }
        return edits.segments(of: text, at: 0, plan).flatMap(\.bytes)
    }

    mutating func redacted(_ text: String, name: String? = nil) -> String {
        String(decoding: redacted(Array(text.utf8), name: name), as: UTF8.self)
    }

    /// Returns the header without secrets.
    ///
    /// A member unknown to vt is removed as a whole if it contains a secret. The environment is always removed: some
    /// recorders write the search path and the home directory.
    mutating func redacted(_ header: RecordingHeader) -> RecordingHeader {
        var header = header
        header.title = header.title.map { redacted($0) }
        header.command = header.command.map { redacted($0) }
        header.terminalType = header.terminalType.map { redacted($0) }
        header.terminalVersion = header.terminalVersion.map { redacted($0) }
        for variable in header.environment ?? [] {
            // Secrets that are found here are replaced elsewhere, too.
            _ = variable.value.map { redacted($0, name: variable.name) }
            _ = redacted(variable.name)
        }
        header.environment = nil
        header.extras = header.extras.filter { isClean($0) }
        header.terminalExtras = header.terminalExtras.filter { isClean($0) }
        return header
    }

    /// Whether a member contains no secret, either as written or with its escapes decoded, as in `https:\/\/`.
    private mutating func isClean(_ member: ExtraMember) -> Bool {
        let quoted = [UInt8(ascii: "\"")] + member.text + [UInt8(ascii: "\"")]
        let text = JSONOutline(content: .string, line: 1, range: 0..<quoted.count).string(in: quoted) ?? ""
        return redacted(member.text) == member.text && redacted(text) == text
    }
}
