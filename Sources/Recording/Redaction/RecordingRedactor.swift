import Core
import POSIX
import Terminal

/// Takes secrets out of a recording, and proves that they are gone.
///
/// The recording as it is is read as streams (the text of its output and its input, the texts within sequences) and as
/// the screens that a terminal shows, where the bytes are known that painted each cell. What either finds is replaced.
/// The result is kept in a file without a name and read from there: when it shows a secret, or a part of one that was
/// found, that goes too; what does not go is an error, and nothing is given away.
package struct RecordingRedactor {
    /// What was done.
    package struct Report: Hashable, Sendable {
        /// How many pieces of text were replaced.
        package var count: Int
        /// What they were found by, sorted.
        package var rules: [String]
    }

    private let plan: RedactionPlan
    private let diagnostics: any Diagnostics

    package init(_ plan: RedactionPlan, _ diagnostics: any Diagnostics) {
        self.plan = plan
        self.diagnostics = diagnostics
    }

    /// Reads a recording, and calls `write` with the bytes of the result once it is proven.
    ///
    /// - Throws: `negative` where something stays that cannot be taken out, and nothing is written.
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
            // What the first pass found nothing in is written as it was read.
            if round == 1, !isChanged, fields.count == 0 { break }
            guard let rule = try remaining(in: spool, source, work.known, clean) else { break }
            guard isChanged || round == 1, round < Self.maximumRounds else {
                throw VTError(
                    .negative,
                    "\(source.name): a secret cannot be removed: \(rule)",
                    hint: "nothing was written; use 'vt cast cut' to remove the part that shows it"
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

    /// What is taken out may make something else a secret; that ends soon.
    private static let maximumRounds = 8

    // MARK: - The proof

    /// Reads the result as anybody would, and looks for secrets in all of it; returns what the first was found by.
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
            while let item = try reader.next() { try proof.take(item) }
        }
        try proof.finish()
        return proof.found
    }
}
