import Recording
import Testing

/// Secrets on the screen of a terminal, however they were painted.
struct PaintedSecretTests {
    private static let token = RedactionSamples.value("ghp_[A-Za-z0-9]{36}", seed: 4)

    /// Expects that no eight consecutive characters of the token remain, and that the screen layout is preserved.
    private func check(_ output: [String], columns: Int, patterns: [String] = [], knownShapes: Bool = true) throws {
        let result = try RedactionSamples.redacted(
            output,
            patterns: patterns,
            knownShapes: knownShapes,
            columns: columns,
            rows: 8
        )
        let text = result.joined()
        let shown = try RedactionSamples.screen(result, columns: columns, rows: 8).joined(separator: "\n")
        let token = Array(Self.token)
        for start in 0...token.count - 8 {
            let run = String(token[start..<start + 8])
            #expect(!text.contains(run))
            #expect(!shown.contains(run))
        }
        // The number of rows and their lengths do not change.
        let before = try RedactionSamples.screen(output, columns: columns, rows: 8, joined: false)
        let after = try RedactionSamples.screen(result, columns: columns, rows: 8, joined: false)
        #expect(before.map(\.count) == after.map(\.count))
    }

    private static func typed(_ text: some StringProtocol) -> [String] { text.map { String($0) } }

    private static let token13 = token.suffix(13)

    static let painted: [String: [String]] = [
        "past the end of a row, as readline does": ["$ echo "] + typed(token.prefix(27)) + [" \r"] + typed(token13) + [
            "\r\n"
        ],
        "with a corrected typo": ["$ "] + typed(token.prefix(22)) + ["q", "z", "\u{8}\u{1B}[K", "\u{8}\u{1B}[K"]
            + typed(token.dropFirst(22)),
        "with a character inserted": ["$ "] + typed(token.prefix(20)) + typed(token.dropFirst(21)) + [
            "\u{1B}[19D", "\u{1B}[4h", String(Array(token)[20]), "\u{1B}[4l",
        ],
        "with a line that is drawn again": ["$ "] + typed(token.prefix(20)) + typed(token.dropFirst(21))
            + ["\u{1B}[19D", "\(Array(token)[20])\(token.dropFirst(21))\u{1B}[19D"],
        "in two places of a row": ["\u{1B}[2;23H\(token.dropFirst(20))", "\u{1B}[2;3H\(token.prefix(20))"],
        "across two rows that do not wrap": ["\u{1B}[2;1H\(token.prefix(34))", "\u{1B}[3;1H\(token.dropFirst(34))"],
        "across two rows, second row first": ["\u{1B}[3;1H\(token.dropFirst(34))", "\u{1B}[2;1H\(token.prefix(34))"],
        "in the clipboard": ["\u{1B}]52;c;\(base64("key \(token) end"))\u{7}done"],
        "in a title and a link": [
            "\u{1B}]0;\(token)\u{7}\u{1B}]8;;https://x.example/\(token)\u{1B}\\here\u{1B}]8;;\u{1B}\\"
        ],
    ]

    private static func base64(_ text: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var result = ""
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[start + $1]) : 0) }
            for place in 0..<4 { result.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : "=") }
        }
        return result
    }

    @Test(arguments: painted.keys.sorted())
    func `no part of a painted token remains`(_ how: String) throws {
        let output = try #require(Self.painted[how])
        try check(output, columns: how.contains("row") ? 34 : 60)
    }

    @Test(arguments: painted.keys.sorted())
    func `no part of a pattern's match remains`(_ how: String) throws {
        let output = try #require(Self.painted[how])
        try check(output, columns: how.contains("row") ? 34 : 60, patterns: ["ghp_[A-Za-z0-9]{36}"], knownShapes: false)
    }

    @Test func `redacts text copied to the clipboard`() throws {
        let text = Self.base64("key \(Self.token) end")
        let result = try RedactionSamples.redacted(["\u{1B}]52;c;\(text)\u{7}"]).joined()
        let middle = text.dropFirst(8).dropLast(8)
        for start in stride(from: 0, to: middle.count - 8, by: 4) {
            #expect(!result.contains(middle.dropFirst(start).prefix(8)))
        }
    }

    @Test func `redacts a token and its parts wherever else they are shown`() throws {
        let output = ["TOKEN=Abc1234defgh\r\n", "it was Abc1234defgh, or Abc1234d at least\r\n"]
        #expect(
            try RedactionSamples.redacted(output) == [
                "TOKEN=************\r\n", "it was ************, or ******** at least\r\n",
            ]
        )
    }

    // MARK: - Colors

    static let colored: [(String, String)] = [
        ("DB_PASSWORD=\u{1B}[32mhunter2x\u{1B}[0m", "DB_PASSWORD=\u{1B}[32m********\u{1B}[0m"),
        (
            "\u{1B}[34mDB_PASSWORD\u{1B}[0m=\u{1B}[32mhunter2x\u{1B}[0m ok",
            "\u{1B}[34mDB_PASSWORD\u{1B}[0m=\u{1B}[32m********\u{1B}[0m ok"
        ),
        (
            "\u{1B}[38;5;81mpassword\u{1B}[0m\u{1B}[38;5;203m:\u{1B}[0m hunter2x",
            "\u{1B}[38;5;81mpassword\u{1B}[0m\u{1B}[38;5;203m:\u{1B}[0m ********"
        ),
        ("\u{1B}[32m+API_TOKEN=abc123def\u{1B}[m\r\n", "\u{1B}[32m+API_TOKEN=*********\u{1B}[m\r\n"),
        (
            ".env:\u{1B}[01;31m\u{1B}[KPASSWORD\u{1B}[m\u{1B}[K=hunter2x",
            ".env:\u{1B}[01;31m\u{1B}[KPASSWORD\u{1B}[m\u{1B}[K=********"
        ),
        ("[sudo] password for alice: \u{1B}[0m\r\nok\r\n", "[sudo] password for alice: \u{1B}[0m\r\nok\r\n"),
    ]

    @Test(arguments: colored)
    func `color sequences are not part of a secret`(_ output: String, _ expected: String) throws {
        #expect(try RedactionSamples.redacted([output]) == [expected])
    }

    // MARK: - Typed input

    @Test func `redacts input typed at a password prompt`() throws {
        let events =
            [("o", "[sudo] password for alice: ")] + "hunter2x\r".map { ("i", String($0)) } + [
                ("o", "\r\nok\r\n"), ("i", "ls\r"),
            ]
        let result = try RedactionSamples.redacted(CastSamples.cast(events))
        #expect(
            result.filter { $0.code == "i" }.map { String(decoding: $0.data, as: UTF8.self) }.joined()
                == "********\rls\r"
        )
    }

    @Test func `redacts a token that is typed with a correction`() throws {
        let token = Self.token
        let events = Self.typed(token.prefix(22) + "q\u{7F}" + token.dropFirst(22) + "\r").map { ("i", $0) }
        let result = try RedactionSamples.redacted(CastSamples.cast(events)).map {
            String(decoding: $0.data, as: UTF8.self)
        }
        #expect(!result.joined().contains(where: { $0.isLetter && $0 != "q" }))
    }
}
