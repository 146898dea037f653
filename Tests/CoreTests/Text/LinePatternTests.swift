import Core
import Testing

@Suite struct LinePatternTests {
    @Test(arguments: [
        ("done", "all done now", 4..<8), ("^ok( [0-9]+)?$", "ok 12", 0..<5), ("a.c", "aéc", 0..<4),
        ("[[:upper:]]", "straÉße", 4..<6), ("x*", "", 0..<0), ("\\$ $", "user$ ", 4..<6), ("a|b", "zb", 1..<2),
    ])
    func `an expression finds its place`(pattern: String, line: String, expected: Range<Int>) throws {
        #expect(try LinePattern(pattern).firstMatch(in: Array(line.utf8)) == expected)
    }

    @Test func `a line may hold any byte`() throws {
        #expect(try LinePattern("b$").firstMatch(in: [0x61, 0, 0xff, 0x62]) == 3..<4)
        #expect(try LinePattern("q").firstMatch(in: [0x61, 0, 0xff]) == nil)
    }

    @Test func `a line that was begun before has no start here`() throws {
        let pattern = try LinePattern("^b")
        #expect(pattern.firstMatch(in: Array("b".utf8)) == 0..<1)
        #expect(pattern.firstMatch(in: Array("b".utf8), isLineStart: false) == nil)
    }

    @Test(arguments: ["(", "[a", "a{2,1}", "*\\", "a\0b"])
    func `what is no expression is refused`(text: String) {
        let error = #expect(throws: VTError.self) { try LinePattern(text) }
        #expect(error?.code == .usage)
    }
}
