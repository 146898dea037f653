import Core
import Testing

@Suite struct LinePatternTests {
    @Test(arguments: [
        ("done", "all done now", 4..<8), ("^ok( [0-9]+)?$", "ok 12", 0..<5), ("a.c", "aéc", 0..<4),
        ("[[:upper:]]", "straÉße", 4..<6), ("x*", "", 0..<0), ("\\$ $", "user$ ", 4..<6), ("a|b", "zb", 1..<2),
    ])
    func `finds the first match`(pattern: String, line: String, expected: Range<Int>) throws {
        #expect(try LinePattern(pattern).firstMatch(in: Array(line.utf8)) == expected)
    }

    @Test(
        arguments: [
            ("a+", "aabaa", [0..<2, 3..<5]), ("\\bx", "x xx", [0..<1, 2..<3]), ("^a", "aa", [0..<1]),
            ("b*", "ab", [0..<0, 1..<2, 2..<2]),
            ("q", "ab", []),
        ] as [(String, String, [Range<Int>])]
    )
    func `finds all matches, in their context`(pattern: String, line: String, expected: [Range<Int>]) throws {
        #expect(try LinePattern(pattern).matches(in: Array(line.utf8)) == expected)
    }

    @Test func `a line can contain any byte`() throws {
        #expect(try LinePattern("b$").firstMatch(in: [0x61, 0, 0xff, 0x62]) == 3..<4)
        #expect(try LinePattern("q").firstMatch(in: [0x61, 0, 0xff]) == nil)
    }

    @Test func `an anchor does not match at the start of a continued line`() throws {
        let pattern = try LinePattern("^b")
        #expect(pattern.firstMatch(in: Array("b".utf8)) == 0..<1)
        #expect(pattern.firstMatch(in: Array("b".utf8), isLineStart: false) == nil)
    }

    @Test(arguments: [
        ("^took \\d+ s$", "took 12 s", true), ("^\\D+$", "abc", true), ("^\\D+$", "a1", false), ("\\d", "d", false),
        ("^\\w+\\s\\S+$", "ab_1 %%", true), ("^\\W$", "%", true), ("\\bend\\b", "the end", true),
        ("\\bend\\b", "bending", false), ("\\Bnd", "end", true), ("^[\\d.]+$", "1.25", true),
        ("^[\\d.]+$", "d", false), ("^[\\w-]+$", "a_b-c", true), ("^[^\\s]+$", "a b", false),
        ("^[^\\\\]+$", "a\\b", false), ("a\\tb", "a\tb", true), ("[]\\d]x", "]x", true), ("(a)\\1", "aa", true),
        ("[[:digit:]\\s]$", "x ", true), ("\\.$", "x", false), ("[a\\.]", "a", true),
    ])
    func `common escapes and character classes have their usual meaning`(text: String, line: String, matches: Bool)
        throws
    {
        #expect((try LinePattern(text).firstMatch(in: Array(line.utf8)) != nil) == matches)
    }

    @Test(arguments: ["\\q", "\\n", "\\x41", "\\p{L}", "\\Kx", "[\\q]", "[\\]]", "[a\\-z]", "[\\n]", "\\0"])
    func `rejects an unknown escape`(text: String) {
        let error = #expect(throws: VTError.self) { try LinePattern(text) }
        #expect(error?.code == .usage)
        #expect(error?.hint != nil)
    }

    @Test(arguments: ["(", "[a", "a{2,1}", "*\\", "a\0b"])
    func `rejects an invalid expression`(text: String) {
        let error = #expect(throws: VTError.self) { try LinePattern(text) }
        #expect(error?.code == .usage)
    }
}
