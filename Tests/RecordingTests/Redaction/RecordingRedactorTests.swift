import Core
import CoreTestSupport
import Recording
import Terminal
import TestSupport
import Testing

struct RecordingRedactorTests {
    private static let key = "AKIAIOSFODNN7EXAMPLE"
    private static let stars = String(repeating: "*", count: 20)

    private func redact(
        _ bytes: [UInt8],
        patterns: [String] = [],
        knownShapes: Bool = true,
        replacement: String = "*"
    ) throws -> (header: RecordingHeader, events: [RecordingEvent], bytes: [UInt8]) {
        let scratch = try ScratchDirectory()
        let source = try RecordingFile(opening: scratch.write(bytes, to: "a.cast"), diagnostics: RecordedNotes())
        let plan = try RedactionPlan(
            patterns: patterns.map { try LinePattern($0) },
            knownShapes: knownShapes,
            replacement: replacement
        )
        var result: [UInt8] = []
        _ = try RecordingRedactor(plan, RecordedNotes()).redact(source) { result += $0 }
        let (header, events) = try CastSamples.read(result)
        return (header, events, result)
    }

    private func redact(output: [String], columns: Int = 40, rows: Int = 8) throws -> [String] {
        let bytes = CastSamples.cast(output.map { ("o", $0) }, columns: columns, rows: rows)
        return try redact(bytes).events.map { String(decoding: $0.data, as: UTF8.self) }
    }

    /// The lines on the final screen.
    private func screen(_ output: [String], columns: Int = 40, rows: Int = 8) throws -> [String] {
        var emulator = Emulator(size: try #require(TerminalSize(columns: columns, rows: rows)))
        for part in output { emulator.feed(Array(part.utf8)) }
        return TextRenderer.render(emulator.screen(), joined: true).split(separator: "\n").map(String.init)
    }

    // MARK: - Ways of writing

    static let written: [String: [String]] = [
        "in one piece": ["key \(key) end"],
        "a character at a time": key.map(String.init),
        "in two colors": ["\u{1B}[31m\(key.prefix(6))\u{1B}[1;38;5;3m", "\(key.dropFirst(6))\u{1B}[m"],
        "across the end of a row": [String(repeating: " ", count: 30) + key],
        "in two places, the second one first": ["\u{1B}[3;15H\(key.dropFirst(10))", "\u{1B}[3;5H\(key.prefix(10))"],
        "from its end to its start": (0..<20).reversed().map { "\u{1B}[2;\($0 + 1)H\(Array(key)[$0])" },
        "over other text": ["\(key.prefix(10))??????????\u{1B}[10D", "\(key.dropFirst(10))"],
        "by deleting characters within it": ["\(key.prefix(10))...\(key.dropFirst(10))\u{1B}[1;11H\u{1B}[3P"],
        "by inserting missing characters": ["AKIAI", "NN7EXAMPLE\u{1B}[1;6H\u{1B}[5@OSFOD"],
        "by repeating a character": ["AKIAIOSFODNN7EXAAAA", "\u{1B}[1b"],
        "after switching to line drawing and back": ["\u{1B}(0q\u{1B}(B\(key)"],
        "on the other screen": ["\u{1B}[?1049h\u{1B}[2;2HAKIAIOSF\u{1B}[1;1H", "x\u{1B}[2;10HODNN7EXAMPLE"],
        "and immediately scrolled off the screen": ["\(key)\r\n" + String(repeating: "x\r\n", count: 30)],
    ]

    @Test(arguments: written.keys.sorted())
    func `redacts a secret in the output`(_ how: String) throws {
        let output = try #require(Self.written[how])
        let result = try redact(output: output)
        #expect(!result.joined().contains(Self.key.suffix(7)))
        let before = try screen(output)
        let after = try screen(result)
        let expected = before.map { line in
            line.replacing(Self.key, with: Self.stars).replacing("AKIAIOSFODNN7EXAAAAA", with: Self.stars)
        }
        #expect(after == expected)
    }

    @Test func `also redacts text that was overwritten`() throws {
        #expect(try redact(output: ["\(Self.key)\rxxxx\u{1B}[K"]) == ["\(Self.stars)\rxxxx\u{1B}[K"])
    }

    @Test func `examines titles and links`() throws {
        let output = "\u{1B}]2;on \(Self.key)\u{7}\u{1B}]8;;https://bob:pa55@h/\u{1B}\\link\u{1B}]8;;\u{1B}\\"
        let expected = "\u{1B}]2;on \(Self.stars)\u{7}\u{1B}]8;;https://bob:****@h/\u{1B}\\link\u{1B}]8;;\u{1B}\\"
        #expect(try redact(output: [output]) == [expected])
    }

    @Test func `replaces wide characters with the same number of cells`() throws {
        #expect(try redact(output: ["password=秘密e\u{301} ok"]) == ["password=***** ok"])
    }

    @Test func `redacts the lines of a private key, but not those around it`() throws {
        let output = [
            "before\r\n-----BEGIN RSA PRIVATE KEY-----\r\nProc-Type: 4,ENCRYPTED\r\n\r\nMIIEpAIB", "AAKC\r\nAbCd==\r\n",
            "-----END RSA PRIVATE KEY-----\r\nafter\r\n",
        ]
        #expect(
            try redact(output: output).joined() == """
                before\r\n-----BEGIN RSA PRIVATE KEY-----\r\n**********************\r\n\r\n************\r\n******\r\n\
                -----END RSA PRIVATE KEY-----\r\nafter\r\n
                """
        )
    }

    static let shapes: [(String, String)] = [
        (
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "aws_secret_access_key = ****************************************"
        ),
        ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "****************************************"),
        ("github_pat_11ABCDEFG0abcdefghijkl_x", "***********************************"),
        ("glpat-abcdefghij0123456789", "**************************"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer *******"),
        ("curl -H 'Authorization: Basic dXNlcjpwYXNz'", "curl -H 'Authorization: Basic ************'"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "*****************************************"),
        ("postgres://app:s3cr3t@db/x", "postgres://app:******@db/x"),
        ("DB_PASSWORD=hunter2 make", "DB_PASSWORD=******* make"),
        ("\"token\": \"abc def\", 1", "\"token\": *********, 1"),
        ("nothing to see: here", "nothing to see: here"),
        ("https://example.com:8080/a@b", "https://example.com:8080/a@b"),
        ("git@github.com:owner/repo", "git@github.com:owner/repo"),
    ]

    @Test(arguments: shapes)
    func `replaces only the secret itself in known formats`(_ text: String, _ expected: String) throws {
        #expect(try redact(output: [text], columns: 100) == [expected])
    }

    // MARK: - Other parts

    @Test func `examines the header, markers, input and other events`() throws {
        let events = [
            ("m", "at \(Self.key)"), ("i", "pass"), ("i", "word=ab"), ("i", "c\r"), ("rlib", "x \(Self.key)"),
            ("o", "fine"),
        ]
        let bytes = CastSamples.cast(events, version: .v2, title: Self.key, command: "TOKEN=abc ./run")
        let (header, redacted, _) = try redact(bytes)
        #expect(header.version == .v2)
        #expect(header.title == Self.stars)
        #expect(header.command == "TOKEN=*** ./run")
        #expect(
            redacted.map { "\($0.code):\(String(decoding: $0.data, as: UTF8.self))" }
                == ["m:at \(Self.stars)", "i:pass", "i:word=**", "i:*\r", "rlib:x \(Self.stars)", "o:fine"]
        )
        #expect(redacted.map(\.time) == (1...6).map { RecordingTime(microseconds: $0 * 100_000) })
    }

    @Test func `removes the environment, and unknown members that contain secrets`() throws {
        let head = """
            {"version": 3, "term": {"cols": 80, "rows": 24}, "env": {"SHELL": "/bin/sh", "API_KEY": "abc"}, \
            "x": "\(Self.key)", "y": 1, "z": "\\u0041\(Self.key.dropFirst())", "w": ["https:\\/\\/a:b\\u0040c"]}
            """
        let header = try redact(Array("\(head)\n[0.1, \"o\", \"x\"]\n".utf8)).header
        #expect(header.environment == nil)
        #expect(header.extras.map(\.name) == ["y"])
    }

    @Test func `the value of a variable of the environment is a secret elsewhere, too`() throws {
        let head = #"{"version": 2, "width": 80, "height": 24, "env": {"API_KEY": "wq7ZmPk2vB"}}"#
        let (header, events, _) = try redact(Array("\(head)\n[0.1, \"o\", \"wq7ZmPk2vB\"]\n".utf8))
        #expect(header.environment == nil)
        #expect(events.map { String(decoding: $0.data, as: UTF8.self) } == ["**********"])
    }

    // MARK: - User patterns

    @Test func `redacts every match of a user's pattern`() throws {
        let bytes = CastSamples.cast([("o", "db1.corp and \u{1B}[31mdb\u{1B}[32m22.corp\u{1B}[1049C")])
        let patterns = ["db[0-9]+[.]corp", "[0-9]{4}"]
        let (_, events, _) = try redact(bytes, patterns: patterns, knownShapes: false, replacement: "█")
        #expect(
            events.map { String(decoding: $0.data, as: UTF8.self) }
                == ["████████ and \u{1B}[31m██\u{1B}[32m███████\u{1B}[1049C"]
        )
    }

    @Test(arguments: ["", "ab", " ", "中", "\u{301}", "\u{1B}"])
    func `the replacement must occupy one cell`(_ replacement: String) throws {
        #expect {
            try RedactionPlan(patterns: [], knownShapes: true, replacement: replacement)
        } throws: { ($0 as? VTError)?.code == .usage }
    }

    @Test(arguments: CastSamples.real)
    func `leaves a recording without matches unchanged, apart from the environment`(_ path: String) throws {
        let bytes = try CastSamples.bytes(path)
        let (original, events) = try CastSamples.read(bytes)
        var header = original
        let redacted = try redact(bytes, patterns: ["no such text"], knownShapes: false)
        #expect(redacted.events == events)
        header.environment = nil
        #expect(redacted.header == header)
    }

    @Test func `redacts all secrets in damaged and hostile output, or writes nothing`() throws {
        let parts = [
            "\u{1B}[", "\u{1B}]8;;", " AKIA", "IOSFODNN7EXAMPLE ", "\u{1B}[99999b", "\r", "\n", "\u{7}", "中", "\u{1B}P",
            "\u{1B}\\", "m", "\u{1B}[2;3H", "\u{1B}[5P",
        ]
        for _ in 0..<40 {
            let output = (0..<60).map { _ in parts.randomElement() ?? "" }
            do {
                let result = try redact(output: output, columns: 7, rows: 3)
                #expect(!result.joined().contains(Self.key), "\(output)")
            } catch let error as VTError {
                #expect(error.code == .negative)
            }
        }
    }
}
