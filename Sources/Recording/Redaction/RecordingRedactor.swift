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

    package init(_ plan: RedactionPlan, _ diagnostics: any Diagnostics) {
        self.plan = plan
        self.diagnostics = diagnostics
    }

    /// Reads a recording, and calls `write` with the bytes of the result once it is verified.
    ///
    /// - Throws: `negative` when a secret cannot be redacted; nothing is then written.
    package func redact(
        _ source: RecordingFile,
        _ write: ([UInt8]) throws(VTError) -> Void
    ) throws(VTError) -> Report {
        let clean = CleanLines()
        var work = RedactionWork(plan, clean)
        var fields = FieldRedactor(plan, FoundSecrets(), clean)
        var result = try SpoolFile()
        for round in 1...Self.maximumRounds {
            diagnostics.progress("\(source.name): looking for secrets, pass \(round)")
            let isChanged = try work.search(source)
            fields = FieldRedactor(plan, work.known, clean)
            let spool = try SpoolFile()
            try work.write(source, &fields) { bytes throws(VTError) in try spool.append(bytes) }
            work.add(fields.secrets)
            result = spool
            // If the first pass found nothing, the items were written unchanged and need no verification.
            if round == 1, !isChanged, fields.count == 0 { break }
            guard let rule = try remaining(in: spool, source, work.known, clean) else { break }
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
        return Report(count: work.count + fields.count, rules: work.rules.union(fields.rules).sorted())
    }

    /// The maximum number of passes; several might be needed, because a replacement can make other text match a rule.
    private static let maximumRounds = 8

    // MARK: - Verification

    /// Reads the result like any recording, and searches it for secrets; returns the rule that matched first.
    private func remaining(
        in spool: borrowing SpoolFile,
        _ source: RecordingFile,
        _ known: FoundSecrets,
        _ clean: CleanLines
    ) throws(VTError) -> String? {
        diagnostics.progress("\(source.name): verifying the result")
        var reader = AsciicastReader(.strict)
        var proof = RedactionProof(plan, known, clean)
        var offset: Int64 = 0
        var isEnded = false
        while !isEnded, proof.found == nil {
            let bytes = try spool.read(at: offset, limit: 256 << 10)
            offset += Int64(bytes.count)
            isEnded = bytes.isEmpty
            if isEnded { reader.finish() } else { reader.append(bytes) }
            while let item = try reader.next() { proof.consume(item) }
        }
        proof.finish()
        return proof.found
    }
}
