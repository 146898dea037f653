import Core
import Terminal

/// Finds secrets in the lines of one text, in order.
struct SecretSearch {
    /// A secret in a line.
    struct Match {
        var range: Range<Int>
        var rule: String
        /// The number of bytes at the start that all secrets of this kind have in common.
        var markBytes = 0
        /// Whether the secret was found by a rule, rather than as all or part of a secret found elsewhere.
        var isByRule = true
    }

    /// A secret that was found, and the ranges of its bytes in the stream.
    struct Finding {
        var ranges: [Range<UInt64>]
        var value: [UInt8]
        var match: Match
    }

    private let plan: RedactionPlan
    private let known: FoundSecrets
    private let clean: CleanLines
    private var block: KeyBlock?
    private var former = SecretScanner.Former.nothing
    private var manifest: SecretManifest
    private var table = SecretTable()
    /// Whether the last line affects the next one.
    private var hasContext = false

    /// `known` are the secrets found before; `clean` are the lines in which the same plan found no secrets.
    init(_ plan: RedactionPlan, _ known: FoundSecrets, _ clean: CleanLines) {
        self.plan = plan
        self.known = known
        self.clean = clean
        block = plan.findsKnown ? KeyBlock(clean, replacement: plan.replacement) : nil
        manifest = SecretManifest(clean)
    }

    /// Returns the secrets in the next line, including parts of known ones; with `tokensOnly`, rules find only tokens
    /// that are recognized by a mark.
    mutating func matches(in line: ArraySlice<UInt8>, isWhole: Bool, tokensOnly: Bool = false) -> [Match] {
        var matches = ruleMatches(in: line, isWhole: isWhole, tokensOnly: tokensOnly)
        if !known.isEmpty {
            known.forEach(in: LineText(line)) {
                matches.append(Match(range: $0, rule: "part of a secret", isByRule: false))
            }
        }
        return matches
    }

    /// Returns the secrets in the next line that are found by rules.
    private mutating func ruleMatches(in line: ArraySlice<UInt8>, isWhole: Bool, tokensOnly: Bool) -> [Match] {
        guard !line.isEmpty else { return [] }
        var matches: [Match] = []
        let text = LineText(line)
        let way: UInt64 = (isWhole ? 1 : 0) | (tokensOnly ? 2 : 0) | (clean.showsKeyLines ? 4 : 0)
        let hash = isBetweenLines ? clean.hash(line, way: way) : 0
        if hash == 0 || !clean.contains(hash) {
            match(rules: text, isWhole, tokensOnly, &matches)
            if matches.isEmpty, hash != 0, isBetweenLines { clean.insert(hash) }
        }
        return matches
    }

    /// Whether the result for the next line depends on that line alone.
    private var isBetweenLines: Bool { !hasContext }

    private mutating func match(
        rules text: LineText,
        _ isWhole: Bool,
        _ tokensOnly: Bool,
        _ matches: inout [Match]
    ) {
        if !tokensOnly { match(patterns: text.bytes, isWhole, &matches) }
        if plan.findsKnown {
            let hasCells = SecretScanner().scan(text, tokensOnly: tokensOnly, after: former) { range, rule, markBytes in
                matches.append(Match(range: range, rule: rule, markBytes: markBytes))
            }
            if !tokensOnly { match(following: text, hasCells, &matches) }
        }
    }

    /// Finds the secrets that earlier lines reveal.
    private mutating func match(following text: LineText, _ hasCells: Bool, _ matches: inout [Match]) {
        former = SecretScanner().former(of: text, after: former)
        for range in manifest.secrets(in: text) { matches.append(Match(range: range, rule: "secret")) }
        for range in table.secrets(in: text, hasCells) { matches.append(Match(range: range, rule: "secret")) }
        let key = matches.last { KeyBlock.rules.contains($0.rule) }
        if let key { block?.start(afterOnly: text.bytes.prefix(key.range.lowerBound)) }
        if let parts = block?.secrets(in: text.bytes), !parts.isEmpty {
            let others = parts.filter { part in !matches.contains { $0.range == part } }
            matches += others.map { Match(range: $0, rule: KeyBlock.rules[0]) }
        }
        hasContext = block?.hasContext == true || manifest.isOpen || table.isOpen
        if case .nothing = former {} else { hasContext = true }
    }

    private func match(patterns line: ArraySlice<UInt8>, _ isWhole: Bool, _ matches: inout [Match]) {
        for (number, pattern) in plan.patterns.enumerated() {
            var start = line.startIndex
            while start < line.endIndex,
                let match = pattern.firstMatch(in: line[start...], isLineStart: isWhole && start == line.startIndex)
            {
                if !match.isEmpty {
                    let range = match.lowerBound - line.startIndex..<match.upperBound - line.startIndex
                    matches.append(Match(range: range, rule: "pattern \(number + 1)"))
                }
                start = max(match.upperBound, start + 1)
            }
        }
    }

    /// Forgets the lines so far.
    mutating func begin() {
        block?.finish()
        self = SecretSearch(plan, known, clean)
    }

    /// Returns the secrets in the next line of joined rows that start in one row and end in another, and the parts of
    /// private keys.
    mutating func matches(in line: ArraySlice<UInt8>, joins: [Int]) -> [Match] {
        let matches =
            joins.isEmpty
            ? ruleMatches(in: line, isWhole: false, tokensOnly: false) : matches(in: line, isWhole: false)
        return matches.filter { match in
            KeyBlock.rules.contains(match.rule)
                || joins.contains { $0 > match.range.lowerBound && $0 < match.range.upperBound }
        }
    }
}
