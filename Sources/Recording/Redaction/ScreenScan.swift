import Core
import Terminal

/// Searches the lines on a terminal's screen for secrets, and finds the bytes that painted them.
struct ScreenScan {
    private let plan: RedactionPlan
    private var screen: TracedScreen
    private var search: SecretSearch
    /// The search in the text of joined rows.
    private var joinedSearch: SecretSearch
    private var findings: [SecretSearch.Finding] = []

    init(_ size: TerminalSize, _ plan: RedactionPlan, _ known: FoundSecrets, _ clean: CleanLines) {
        self.plan = plan
        screen = TracedScreen(size: size)
        search = SecretSearch(plan, known, clean)
        joinedSearch = search
    }

    /// Returns the secrets found since the last call.
    mutating func takeFindings() -> [SecretSearch.Finding] {
        defer { findings = [] }
        return findings
    }

    mutating func consume(_ segment: StreamScan.Segment) {
        var rest = segment.bytes
        while !rest.isEmpty {
            let piece = rest.prefix(screen.pieceBytes)
            let offset = segment.offset + UInt64(rest.startIndex - segment.bytes.startIndex)
            screen.feed(piece, from: segment.isReplacement ? nil : offset)
            rest = rest.dropFirst(piece.count)
            searchChangedLines()
        }
    }

    /// Must be called at the end of each event, when its result is visible; `isLast` means the end of the recording.
    mutating func see(isLast: Bool = false) {
        screen.collectChangedLines(isLast: isLast)
        searchChangedLines()
    }

    mutating func resize(to size: TerminalSize) {
        guard size != screen.size else { return }
        screen.resize(to: size)
        see()
    }

    private mutating func searchChangedLines() {
        guard screen.hasLines else { return }
        var lines: [(line: TracedScreen.Line, matches: [SecretSearch.Match])] = []
        var (search, joinedSearch) = (search, joinedSearch)
        screen.takeLines { line in
            if line.isFirst { joinedSearch.begin() }
            let matches =
                line.joins.map { joinedSearch.matches(in: line.text, joins: $0) }
                ?? search.matches(in: line.text, isWhole: line.isWhole)
            if !matches.isEmpty { lines.append((line, matches)) }
        }
        joinedSearch.begin()
        (self.search, self.joinedSearch) = (search, joinedSearch)
        for (line, matches) in lines {
            for match in matches { record(match, line) }
        }
    }

    private mutating func record(_ match: SecretSearch.Match, _ line: TracedScreen.Line) {
        var ranges: [Range<UInt64>] = []
        var value: [UInt8] = []
        for index in match.range {
            guard let offset = screen.offset(of: line.origins[line.origins.startIndex + index]) else { continue }
            value.append(line.text[line.text.startIndex + index])
            if let last = ranges.last, last.contains(offset) || last.upperBound == offset {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, offset + 1)
            } else {
                ranges.append(offset..<offset + 1)
            }
        }
        guard !ranges.isEmpty, !plan.isReplacement(value) else { return }
        findings.append(SecretSearch.Finding(ranges: ranges, value: value, match: match))
    }
}
