import Testing

/// Secrets that continue at the same column of the next row, as in the panes of a divided screen.
struct PaneSecretTests {
    private static let token = RedactionSamples.value("ghp_[A-Za-z0-9]{36}", seed: 4)
    private static let head = token.prefix(20)
    private static let tail = token.dropFirst(20)

    /// Text at a row and column, counted from 1.
    private static func at(_ row: Int, _ column: Int, _ text: some StringProtocol) -> String {
        "\u{1B}[\(row);\(column)H\(text)"
    }

    private static func column(_ border: String, _ column: Int, rows: ClosedRange<Int> = 1...8) -> String {
        rows.map { at($0, column, border) }.joined()
    }

    static let divided: [String: [String]] = [
        "without a border": [at(1, 21, head), at(2, 21, tail)],
        "without a border, with other text on the left": [
            at(1, 1, "some words here"), at(2, 1, "and more"), at(1, 21, head), at(2, 21, tail),
        ],
        "with a border, in the right pane": [
            column("│", 20), at(1, 1, "innocent text"), at(2, 1, "innocentwords"), at(1, 21, head), at(2, 21, tail),
        ],
        "with a border, in the left pane": [
            column("│", 21), at(1, 1, head), at(1, 22, "innocentwordsother1"), at(2, 1, tail), at(2, 22, "innocent"),
        ],
        "after a label": [
            column("│", 8), at(1, 9, "some text, and more"),
            at(1, 9, "the key is " + token.prefix(21)), at(2, 9, token.dropFirst(21)), at(2, 1, "left"),
        ],
        "in three rows of a pane": [
            column("│", 25), at(1, 26, "one two key ghp"), at(1, 26, "a key: " + token.prefix(8)),
            at(2, 26, token.dropFirst(8).prefix(15)), at(3, 26, token.dropFirst(23).prefix(15)),
            at(4, 26, token.dropFirst(38)), at(2, 1, "abcdefghijklmnop"), at(3, 1, "qrstuvwx"),
        ],
        "in the lower row first": [column("│", 20), at(2, 21, tail), at(2, 1, "innocentwords"), at(1, 21, head)],
        "beside vertical bars, with line numbers": [
            column("|", 20), at(1, 1, "  1 words"), at(2, 1, "  2 innocentword"),
            at(1, 21, "  1 " + token.prefix(16)), at(2, 21, "    " + token.dropFirst(16).prefix(16)),
            at(3, 21, "    " + token.dropFirst(32)),
        ],
        "beside a border with a junction": [
            column("│", 20, rows: 1...1), column("├", 20, rows: 2...2), at(1, 21, head), at(2, 21, tail),
            at(2, 1, "innocentwords"),
        ],
        "in a box with a margin": [
            column("│", 5), column("│", 30), at(3, 7, token.prefix(22)), at(4, 7, token.dropFirst(22)),
        ],
        "with a border drawn as a line drawing character": [
            "\u{1B}(0" + column("x", 20) + "\u{1B}(B", at(1, 21, head), at(2, 21, tail), at(2, 1, "innocentwords"),
        ],
        "all at once, and overwritten": [
            column("│", 20) + at(1, 21, head) + at(2, 21, tail) + at(1, 21, "\u{1B}[K") + at(2, 21, "ok")
        ],
    ]

    @Test(arguments: divided.keys.sorted())
    func `redacts only a token that continues in its pane`(_ how: String) throws {
        let output = try #require(Self.divided[how])
        let result = try RedactionSamples.redacted(output, columns: 40, rows: 8)
        let changes = zip(output.joined(), result.joined()).filter { $0 != $1 }
        #expect(String(changes.map(\.0).sorted()) == String(Self.token.sorted()))
        #expect(changes.allSatisfy { $0.1 == "*" })
    }

    static let separate: [[String]] = [
        [at(1, 21, "abcdefghijklmnopqrst"), at(2, 21, "uvwxyz0123456789")],
        [column("│", 20), at(1, 21, "ghp_abcdefghijklmnop"), at(2, 1, "0123456789abcdefgh"), at(3, 1, "ij")],
        [column("│", 20), at(1, 21, "ghp_abcdefghijklm"), at(2, 21, "n0123456789abcdefghi"), at(3, 21, "jklm")],
        [column("│", 20), at(1, 1, "ghp_abcdefghijklmno"), at(2, 21, "0123456789abcdefghij"), at(3, 1, "jklm")],
    ]

    @Test(arguments: separate)
    func `text in different panes is not one secret`(_ output: [String]) throws {
        #expect(try RedactionSamples.redacted(output, columns: 40, rows: 8) == output)
    }

    // MARK: - Long chains of rows

    /// Rows full of letters and digits, with a token that starts in one of them.
    private func chain(_ row: Int, _ column: Int, length: Int = 40) -> (rows: [String], token: String) {
        let token = RedactionSamples.value("ghp_[A-Za-z0-9]{36}", seed: UInt64(row * 50 + column))
        var text = Array(RedactionSamples.value("[A-Z0-9]{\(40 * length)}", seed: 9))
        let start = row * 40 + column
        text.replaceSubrange(start - 1..<start + token.count + 1, with: "/" + Array(token) + "/")
        return ((0..<length).map { String(text[$0 * 40..<$0 * 40 + 40]) }, token)
    }

    @Test(arguments: [0, 7, 15, 16, 17, 23, 31, 37])
    func `a token is found anywhere in a long chain of rows`(_ row: Int) throws {
        for column in [1, 36] {
            let (rows, token) = chain(row, column)
            let painted = rows.enumerated().map { Self.at($0 + 1, 1, $1) }
            for output in [painted, Array(painted.reversed()), [painted.joined()], [painted.reversed().joined()]] {
                let result = try RedactionSamples.redacted(output, columns: 40, rows: 40)
                let shown = try RedactionSamples.screen(result, columns: 40, rows: 40, joined: false).joined()
                #expect(!shown.contains(token.suffix(12)), "\(row), \(column)")
            }
        }
    }

    @Test func `a token longer than sixteen rows is found`() throws {
        let token = "eyJhbGciOiJIUzI1NiJ9." + RedactionSamples.value("eyJ[A-Za-z0-9]{600}.[A-Za-z0-9_-]{42}7", seed: 3)
        let pieces = stride(from: 0, to: token.count, by: 20).map { String(token.dropFirst($0).prefix(20)) }
        for left in [1, 21] {
            let output = pieces.enumerated().map { Self.at($0 + 1, left, $1) }
            let result = try RedactionSamples.redacted(output, columns: left + 19, rows: 40).joined()
            for piece in pieces.dropLast() { #expect(!result.contains(piece)) }
        }
    }
}
