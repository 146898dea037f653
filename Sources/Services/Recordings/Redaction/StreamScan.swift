import Core
import Recording

/// Looks for secrets in a stream of bytes for a terminal, in all its views.
struct StreamScan {
    private var lines = StreamLines()
    private var searches: [StreamLines.View: SecretSearch]

    init(_ plan: RedactionPlan) {
        let search = SecretSearch(plan)
        searches = [.text: search, .payload: search, .raw: search]
    }

    /// Takes the next bytes; calls with where those of each secret came from, and by which rule it is one.
    mutating func take(
        _ segments: [StreamLines.Segment],
        _ found: (ArraySlice<UInt64?>, String) throws(VTError) -> Void
    ) throws(VTError) {
        var results: [(ArraySlice<UInt64?>, String)] = []
        // There is one owner at a time, so that nothing is copied.
        var searches = searches
        self.searches = [:]
        for segment in segments {
            lines.take(segment) { line, view in Self.search(line, view, &searches, &results) }
        }
        self.searches = searches
        for result in results { try found(result.0, result.1) }
    }

    /// There are no more bytes.
    mutating func finish(_ found: (ArraySlice<UInt64?>, String) throws(VTError) -> Void) throws(VTError) {
        var results: [(ArraySlice<UInt64?>, String)] = []
        var searches = searches
        lines.finish { line, view in Self.search(line, view, &searches, &results) }
        self.searches = searches
        for result in results { try found(result.0, result.1) }
    }

    private static func search(
        _ line: StreamLines.Line,
        _ view: StreamLines.View,
        _ searches: inout [StreamLines.View: SecretSearch],
        _ results: inout [(ArraySlice<UInt64?>, String)]
    ) {
        let secrets = searches[view]?.secrets(in: line.bytes, isWhole: line.isWhole) ?? []
        for (range, rule) in secrets {
            let offsets = line.offsets[range]
            // What is all syntax of sequences, or was taken out, is no secret.
            if offsets.contains(where: { $0 != nil }) { results.append((offsets, rule)) }
        }
    }
}
