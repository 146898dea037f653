import Speech
import Testing

struct SpokenTextTests {
    @Test func `controls are removed`() {
        #expect(SpokenText(" a\u{1b}[31m b\n").text == "a b")
    }
}
