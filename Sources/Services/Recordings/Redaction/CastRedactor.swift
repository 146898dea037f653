import Core
import Recording
import Terminal

/// Takes secrets out of a recording, and proves that they are gone.
///
/// The recording is read until nothing more is found: in the text of its output and input, in the texts within sequences,
/// in the bytes as they are, and in the lines that the terminal shows. What is shown but stands nowhere in one piece, as
/// it was painted with movements of the cursor, is traced back to the bytes that painted it. The result is kept in a
/// file without a name, read once more from there, and only given away when that finds nothing.
package struct CastRedactor {
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
        _ source: CastSource,
        _ write: ([UInt8]) throws(VTError) -> Void
    ) throws(VTError) -> Report {
        var work = RedactionWork(plan)
        try work.search(source, diagnostics)
        let spool = try SpoolFile()
        var fields = FieldRedactor(plan)
        try work.write(source, &fields) { bytes throws(VTError) in try spool.append(bytes) }
        try prove(spool, source)
        var offset: Int64 = 0
        while true {
            let bytes = try spool.read(at: offset, limit: 256 << 10)
            guard !bytes.isEmpty else { break }
            offset += Int64(bytes.count)
            try write(bytes)
        }
        return Report(count: work.count + fields.count, rules: work.rules.union(fields.rules).sorted())
    }

    // MARK: - The proof

    /// Reads the result as anybody would, and looks for secrets in all of it.
    private func prove(_ spool: SpoolFile, _ source: CastSource) throws(VTError) {
        diagnostics.progress("\(source.name): proving the result")
        var reader = CastReader(.strict)
        var proof = RedactionProof(plan)
        var offset: Int64 = 0
        var isEnded = false
        while !isEnded {
            let bytes = try spool.read(at: offset, limit: 256 << 10)
            offset += Int64(bytes.count)
            isEnded = bytes.isEmpty
            if isEnded { reader.finish() } else { reader.append(bytes) }
            while let item = try reader.next() { try proof.take(item) }
        }
        try proof.finish()
        guard let rule = proof.found else { return }
        throw VTError(
            .negative,
            "\(source.name): a secret stays that cannot be taken out: \(rule)",
            hint: "nothing was written; 'vt cast cut' takes out the part that shows it"
        )
    }
}
