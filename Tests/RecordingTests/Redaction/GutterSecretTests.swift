import Testing

/// Secrets that are wrapped beside line numbers, as editors and pagers show them.
struct GutterSecretTests {
    /// How a program shows a line that is longer than a row.
    struct Look: Sendable {
        /// The text before the first row of a line; `N` is its number, aligned at its end.
        var first = "NNN "
        /// The text before the other rows.
        var next = "    "
        /// What ends a row that continues.
        var mark = ""
        /// The text before each row.
        var left = ""
        var right = ""
        /// Whether the terminal wraps the rows.
        var isWrapped = false

        /// Draws lines from the top of a screen.
        func drawn(_ lines: [String], from number: Int = 1, columns: Int) -> String {
            var rows: [String] = []
            for (index, line) in lines.enumerated() {
                let first = numbered(first, number + index)
                let next = numbered(next, number + index)
                var rest = line[...]
                let width = columns - left.count - right.count - first.count
                while rest.count > width {
                    let part = rest.prefix(width - mark.count)
                    rows.append((rest.startIndex == line.startIndex ? first : next) + part + mark)
                    rest = rest.dropFirst(part.count)
                }
                rows.append((rest.startIndex == line.startIndex ? first : next) + rest)
            }
            return rows.enumerated().map { y, row in
                let isFull = row.count == columns && isWrapped && y + 1 < rows.count
                let space = right.isEmpty ? 0 : columns - left.count - right.count - row.count
                let padding = String(repeating: " ", count: space)
                let end = isFull ? "" : "\u{1B}[\(y + 2);1H"
                return (y == 0 ? "\u{1B}[H" : "") + left + row + padding + right + end
            }.joined()
        }

        private func numbered(_ text: String, _ number: Int) -> String {
            let count = text.count { $0 == "N" }
            let digits = String(repeating: " ", count: max(0, count - String(number).count)) + String(number)
            return text.replacing(String(repeating: "N", count: count), with: count > 0 ? digits : "")
        }
    }

    static let looks: [String: Look] = [
        "vim": Look(isWrapped: true),
        "nano": Look(),
        "less": Look(first: "NNNNNNN ", next: "NNNNNNN ", isWrapped: true),
        "emacs": Look(mark: "\\"),
        "emacs without numbers": Look(first: "", next: "", mark: "\\"),
        "vim with showbreak": Look(next: "    > ", isWrapped: true),
        "bat": Look(first: "  NNN   │ ", next: "        │ "),
        "in a left pane": Look(right: "│other"),
        "in a right pane, with numbers": Look(first: "NNNNNNN ", next: "NNNNNNN ", left: "other│"),
    ]

    private func check(_ output: String, _ lines: [String], hides secrets: [String], columns: Int) throws {
        let result = try RedactionSamples.redacted([output], columns: columns, rows: 60)
        let shown = try RedactionSamples.screen(result, columns: columns, rows: 60, joined: false)
        let words = shown.flatMap { $0.split { !$0.isLetter && !$0.isNumber && !"+/=_".contains($0) } }
        for word in words where word.count > 2 && !word.allSatisfy(\.isNumber) {
            #expect(!secrets.contains { $0.contains(word) }, "\(word) in \(shown.joined(separator: "\n"))")
        }
        let kept = lines.filter { line in !secrets.contains { line.contains($0) } }
        for line in kept { #expect(shown.contains { $0.contains(line.prefix(columns / 2)) }, "\(shown)") }
        let before = try RedactionSamples.screen([output], columns: columns, rows: 60, joined: false)
        for (old, new) in zip(before, shown) {
            #expect(zip(old, new).allSatisfy { $0 == $1 || $1 == "*" }, "\(old)")
            if old.hasPrefix("  ") { #expect(old.prefix(4) == new.prefix(4)) }
        }
    }

    @Test(arguments: looks.keys.sorted(), [40, 57])
    func `a token and a password that are wrapped are found`(_ how: String, _ columns: Int) throws {
        let look = try #require(Self.looks[how])
        let width = columns - look.left.count - look.right.count - look.first.count
        for count in [3, 9, 19, 34] {
            let token = RedactionSamples.value("ghp_[A-Za-z]{35}7", seed: UInt64(count))
            let word = RedactionSamples.value("Q7[a-z]{10}[A-Z]{10}", seed: UInt64(count))
            let lines = [
                "first line", "\(String(repeating: "y", count: max(0, width - count - 1))) \(token)", "words",
                "\(String(repeating: "z", count: max(0, width - count - 13))) DB_PASSWORD=\(word)", "last line",
            ]
            try check(look.drawn(lines, columns: columns), lines, hides: [token, word], columns: columns)
        }
    }

    static let parts: [String: ClosedRange<Int>] = ["all": 0...12, "the start": 0...6, "the end": 7...12]

    @Test(arguments: looks.keys.sorted(), parts.keys.sorted())
    func `no part of a private key with wrapped lines remains`(_ how: String, _ part: String) throws {
        let look = try #require(Self.looks[how])
        for columns in [40, 57] {
            for length in [64, 70] {
                let width = columns - look.left.count - look.right.count - look.first.count
                // The second row of some lines has only letters.
                let key =
                    (1...10).map { number in
                        let tail = max(0, length - width)
                        let letters = number % 3 == 0 ? "a-z" : "A-Za-z0-9+/"
                        return RedactionSamples.value(
                            "[A-Za-z0-9+/]{\(length - tail)}[\(letters)]{\(tail)}",
                            seed: UInt64(number * columns)
                        )
                    } + [RedactionSamples.value("[A-Za-z0-9]{\(width + 3)}==", seed: 3)]
                let lines = ["-----BEGIN PRIVATE KEY-----"] + key + ["-----END PRIVATE KEY-----"]
                let range = try #require(Self.parts[part])
                try check(
                    look.drawn(Array(lines[range]), from: range.lowerBound + 95, columns: columns),
                    ["-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"].filter { lines[range].contains($0) },
                    hides: key,
                    columns: columns
                )
            }
        }
    }

    /// Full rows above text that does not continue them.
    static let separate: [[String]] = [
        ["  1 yyyyyyyyyyyyyyyyyyyyy ghp_Ab1Cd2Ef3Gh", "  2 4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2"],
        ["      1 yyyyyyyyyyyyyyyyy ghp_Ab1Cd2Ef3Gh", "      2 4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2"],
        ["  1 yyyyyyyyyyyyyyyyyyyy ghp_Ab1Cd2Ef3G", "    4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2"],
    ]

    @Test(arguments: separate)
    func `other lines are not part of a secret`(_ rows: [String]) throws {
        let output = rows.map { $0 + "\r\n" }
        #expect(try RedactionSamples.redacted(output, columns: 41) == output)
    }
}
