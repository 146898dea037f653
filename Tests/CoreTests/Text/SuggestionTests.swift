import Core
import Testing

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("exce", "exec"), ("profle", "profile"), ("profiles", "profile"), ("lsit", "list"), ("verison", "version"),
        ("ver", "version"), ("sesions", "sessions"), ("sesison", "sessions"),
    ])
    func `suggests the intended word for a typo`(word: String, meant: String) {
        let words = ["profile", "host", "exec", "sessions", "list", "version"]
        #expect(Suggestion.nearest(to: word, among: words) == meant)
    }

    @Test(arguments: ["htop", "vim", "x", "", "bash", "profileprofile", String(repeating: "e", count: 10_000)])
    func `suggests nothing for an unrelated word`(word: String) {
        let words = ["profile", "exec", "sessions", "list", "version"]
        #expect(Suggestion.nearest(to: word, among: words) == nil)
    }

    @Test func `suggests the first of several equally close words`() {
        #expect(Suggestion.nearest(to: "test", among: ["rest", "text"]) == "rest")
    }
}
