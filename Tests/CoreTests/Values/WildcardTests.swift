import Core
import Testing

@Suite struct WildcardTests {
    @Test(arguments: [
        ("", "", true), ("", "a", false), ("a", "a", true), ("a", "A", false), ("?", "", false), ("?", "a", true),
        ("*", "", true), ("*", "abc", true), ("a*c", "abc", true), ("a*c", "abcd", false), ("*b*", "abc", true),
        ("a**c", "ac", true), ("*?", "", false), ("*.x", "a.b.x", true), ("a*b*c", "aXbXbXc", true),
    ])
    func `a pattern must match the whole text`(pattern: String, text: String, fits: Bool) {
        #expect(Wildcard.matches(pattern, text) == fits)
    }

    @Test func `a pattern with many asterisks does not take exponential time`() {
        let pattern = String(repeating: "a*", count: 200) + "b"
        #expect(!Wildcard.matches(pattern, String(repeating: "a", count: 5000)))
    }

    @Test(arguments: [
        (["a", "b"], true), (["!a"], false), (["*", "!b*"], false), (["!c", "b*"], true), ([], false),
    ])
    func `an exclusion overrides every match`(patterns: [String], fits: Bool) {
        #expect(Wildcard.matches(anyOf: patterns, "b") == fits)
    }
}
