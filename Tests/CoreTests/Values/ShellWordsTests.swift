import Core
import TestSupport
import Testing

@Suite struct ShellWordsTests {
    @Test(
        arguments: [
            "", "  ", "a", " a  b\tc ", "'a b' c", #""a b"'c'd"#, #"a\ b \\ \' \""#, #""\$ \` \" \\ \a""#, "'' \"\"",
            "a''b", "'it'\\''s'", "ä€😀 'ö ü'", "a\\\nb", "\"a\\\nb\"", "'a\\nb\n'", "a=b:c/d,e%f+g@h", "\\#a 'b#'",
        ]
    )
    func `splits text without expansions as sh does`(_ text: String) async throws {
        let script = "for word in \(text)\ndo printf '<%s>' \"$word\"; done"
        let expected = try await ProgramCall("/bin/sh", ["-c", script]).check()
        #expect(try ShellWords(splitting: text).words.map { "<\($0)>" }.joined() == expected)
    }

    @Test func `characters that start an expansion are literal`() throws {
        #expect(try ShellWords(splitting: "a\nb").words == ["a", "b"])
        let text = "$HOME `x` * ~ {a,b} a|b >c #d !e"
        #expect(try ShellWords(splitting: text).words == text.split(separator: " ").map(String.init))
    }

    @Test(arguments: ["'a", "\"a", "a\\", "\"a\\", "a 'b' \"c' d"])
    func `an unclosed quote is an error`(_ text: String) {
        #expect(throws: VTError.self) { try ShellWords(splitting: text) }
    }
}
