import Core
import Testing

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("exce", "exec"), ("profle", "profile"), ("profiles", "profile"), ("lsit", "list"), ("verison", "version"),
        ("ver", "version"), ("sesions", "sessions"), ("sesison", "sessions"),
    ])
    func `a slip finds the word that was meant`(word: String, meant: String) {
        let words = ["profile", "host", "exec", "sessions", "list", "version"]
        #expect(Suggestion.nearest(to: word, among: words) == meant)
    }

    @Test(arguments: ["htop", "vim", "x", "", "bash", "profileprofile", String(repeating: "e", count: 10_000)])
    func `a far word finds nothing`(word: String) {
        let words = ["profile", "exec", "sessions", "list", "version"]
        #expect(Suggestion.nearest(to: word, among: words) == nil)
    }

    @Test func `the first of equally near words is taken`() {
        #expect(Suggestion.nearest(to: "test", among: ["rest", "text"]) == "rest")
    }
}
