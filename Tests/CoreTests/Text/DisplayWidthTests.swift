import Core
import Testing

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("語", 2), ("한", 2), ("ｱ", 1), ("Ａ", 2), ("😀", 2), ("❤️", 2),
        ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("\u{301}", 0), ("→", 1), ("…", 1),
    ])
    func `counts the cells that text occupies in a terminal`(text: String, width: Int) {
        #expect(text.displayWidth == width)
    }
}
