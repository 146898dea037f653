import Testing

/// Private keys, whose lines are found by the lines around them.
struct PrivateKeyTests {
    /// The text before and after each line of a key.
    static let frames: [(String, String)] = [
        ("", ""), ("> ", ""), ("heredoc> ", ""), ("| ", ""), ("# ", ""), ("web-1  | ", ""),
        ("2026-11-24T10:00:NNZ ", ""),
        ("NN:", ""), ("\"", "\""), ("\"", "\\n\""), ("", "$"), ("", " \\"), ("+", ""), ("    ", ""),
        ("", "  │package main"),
        ("one two            │", ""),
    ]

    private static let keyLines: [String] = {
        let body = RedactionSamples.value("[A-Za-z0-9+/]{372}", seed: 9)
        var lines = stride(from: 0, to: 372, by: 64).map { String(body.dropFirst($0).prefix(64)) }
        lines[lines.count - 1] += "=="
        return lines
    }()

    private static func framed(_ lines: [String], _ frame: (String, String)) -> [String] {
        lines.enumerated().map { number, line in
            let count = String(number + 7)
            return frame.0.replacing("NN", with: count.count == 1 && frame.0.contains("Z") ? "0" + count : count) + line
                + frame.1 + "\r\n"
        }
    }

    @Test(arguments: frames, [true, false])
    func `no part of a private key remains, whatever stands around it`(
        _ frame: (String, String),
        _ hasFooter: Bool
    ) throws {
        let footer = hasFooter ? ["-----END PRIVATE KEY-----"] : []
        let lines = ["-----BEGIN PRIVATE KEY-----"] + Self.keyLines + footer
        let output = ["$ cat key\r\n"] + Self.framed(lines, frame) + ["$ echo done\r\n", "done\r\n"]
        let result = try RedactionSamples.redacted(output, columns: 120, rows: 30).joined()
        for line in Self.keyLines { #expect(!result.contains(line.prefix(6)), "\(result)") }
        #expect(result.hasPrefix("$ cat key\r\n") && result.hasSuffix("$ echo done\r\ndone\r\n"))
        #expect(result.contains("-----BEGIN PRIVATE KEY-----"))
    }

    @Test func `a key is found in the lines that a pager shows one by one, and among those of other programs`() throws {
        let lines = ["-----BEGIN PRIVATE KEY-----"] + Self.keyLines + ["-----END PRIVATE KEY-----"]
        let paged = lines.map { "\r\u{1B}[K\($0)\r\n:\u{1B}[K" }
        let mixed = lines.flatMap { ["web-1  | \($0)\r\n", "db-1   | checkpoint complete\r\n"] }
        for output in [paged, mixed] {
            let result = try RedactionSamples.redacted(output, columns: 100, rows: 5).joined()
            for line in Self.keyLines.dropLast() { #expect(!result.contains(line.prefix(6)), "\(result)") }
            #expect(!result.contains("db-1") || result.contains("checkpoint complete"))
        }
    }

    @Test func `text after a header without a key is kept`() throws {
        let output = [
            "grep: -----BEGIN PRIVATE KEY-----\r\n", "if (line == header) {\r\n", "    return true;\r\n", "}\r\n",
            "0123456789abcdef0123456789abcdef01234567  main\r\n", "/usr/share/doc/openssl/examples/keys\r\n",
        ]
        #expect(try RedactionSamples.redacted(output, columns: 100, rows: 12) == output)
    }

    // MARK: - Keys without a header

    private static let footer = "-----END PRIVATE KEY-----"

    /// Redacts lines that end with CR and LF, and checks that no part of the given lines of the key remains.
    private func check(_ output: [String], hides lines: some Sequence<String>, columns: Int = 120) throws -> String {
        let output = output.map { $0 + "\r\n" }
        let result = try RedactionSamples.redacted(output, columns: columns, rows: 30).joined()
        for line in lines { #expect(!result.contains(line.prefix(6)), "\(result)") }
        #expect(result.utf8.count == output.joined().utf8.count)
        return result
    }

    @Test(arguments: frames, [2, 4, 6])
    func `the end of a private key goes, also without its header`(_ frame: (String, String), _ count: Int) throws {
        let lines = Self.keyLines.suffix(count)
        let output = Self.framed(Array(lines) + [Self.footer], frame).map { String($0.dropLast()) }
        let result = try check(["$ tail key"] + output + ["$ echo done", "done"], hides: lines)
        #expect(result.hasPrefix("$ tail key\r\n") && result.hasSuffix("$ echo done\r\ndone\r\n"))
    }

    @Test func `lines of a key that is scrolled backwards are found`() throws {
        let pages = [Self.keyLines.suffix(3) + [Self.footer], Self.keyLines.prefix(3) + []]
        let painted = pages.map { "\u{1B}[H\u{1B}[2J" + $0.joined(separator: "\r\n") }
        _ = try check(painted, hides: Self.keyLines)
    }

    @Test func `a full line that is broken between the rows of a pane is found, without a header too`() throws {
        let rows = Self.keyLines.flatMap { [$0.prefix(40), $0.dropFirst(40)].map(String.init) } + [Self.footer]
        let painted = rows.enumerated().map { "\u{1B}[\($0 + 1);1H\($1)\u{1B}[\($0 + 1);41H|other" }.joined()
        _ = try check([painted], hides: Self.keyLines.dropLast(), columns: 80)
    }

    @Test(arguments: [3, 12]) func `lines of other programs do not end a key`(_ count: Int) throws {
        let others = Array(repeating: "db-1   | checkpoint complete", count: count)
        let lines = ["-----BEGIN PRIVATE KEY-----"] + Self.keyLines.dropLast() + ["Qx7dK2mP9w=="] + [Self.footer]
        let result = try check(
            lines.flatMap { ["web-1  | \($0)"] + others },
            hides: Self.keyLines.dropLast() + ["Qx7dK2mP9w=="]
        )
        #expect(result.contains("checkpoint complete"))
    }

    @Test(arguments: ["Qx7dK2mP9w==\(footer)", "web-1 | Qx7dK2mP9w== \(footer)", "Qx7dK2mP9w==\\n\(footer)\\n\""])
    func `the last line of a key goes if the footer is on the same line`(_ last: String) throws {
        let lines = ["-----BEGIN PRIVATE KEY-----"] + Self.keyLines.dropLast() + [last]
        #expect(try check(lines, hides: Self.keyLines.dropLast() + ["Qx7dK2mP9w=="]).contains(Self.footer))
    }

    @Test func `parts of a key in a narrow pane, whose edge truncates the header, are found`() throws {
        let key = Self.keyLines.joined()
        let rows =
            ["-----BEGIN OPENSSH"]
            + stride(from: 0, to: 372, by: 19).map {
                String(key.dropFirst($0).prefix(19))
            }
        let painted = rows.enumerated().map { "\u{1B}[\($0 + 1);1H\($0 * 37 % 11) row |\($1)" }.joined()
        let result = try check([painted], hides: [], columns: 27)
        for start in stride(from: 0, to: 360, by: 19) {
            #expect(!result.contains(key.dropFirst(start).prefix(12)))
        }
    }

    @Test func `Base64 of a key goes up to its last line`() throws {
        let text = "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk" + Self.keyLines.joined().dropLast(2) + "Qx7dK2mP9w=="
        let lines = stride(from: 0, to: text.count, by: 76).map { String(text.dropFirst($0).prefix(76)) }
        #expect(try check(["$ base64 key"] + lines + ["$ echo"], hides: lines).hasSuffix("$ echo\r\n"))
    }

    @Test func `Base64 of a key goes if it is a long line that a pager shows in two pages`() throws {
        let text = "    client-key-data: LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk" + Self.keyLines.joined().dropLast(2)
        let rows = stride(from: 0, to: text.count, by: 60).map { String(text.dropFirst($0).prefix(60)) }
        let other = "    client: aB3dE5fG7hJ9kL1mN3pQ5rS7"
        let pages = [rows.prefix(4).joined() + "\r\n:\u{1B}[K", "\r\u{1B}[K" + rows.dropFirst(4).joined()]
        let result = try check(pages + [other], hides: rows.dropFirst(), columns: 60)
        #expect(result.hasSuffix(other + "\r\n"))
    }

    /// Text that is not part of a key, after a header or before a footer.
    static let innocent: [[String]] = [
        ["grep: -----BEGIN PRIVATE KEY-----", "Sources/Recording/Redaction2/KeyBlock", "/Users/Alice/Documents/App2"],
        ["grep: -----END PRIVATE KEY-----", "0123456789abcdef0123456789abcdef01234567  main"],
        ["-----BEGIN CERTIFICATE-----"] + keyLines + ["-----END CERTIFICATE-----", "-----END PRIVATE KEY-----"],
        keyLines + ["-----END CERTIFICATE-----"],
        keyLines + ["-----BEGIN PGP SIGNATURE-----"] + keyLines,
    ]

    @Test(arguments: innocent) func `text that is not part of a key is kept`(_ lines: [String]) throws {
        let output = lines.map { $0 + "\r\n" }
        #expect(try RedactionSamples.redacted(output, columns: 100, rows: 30) == output)
    }
}
