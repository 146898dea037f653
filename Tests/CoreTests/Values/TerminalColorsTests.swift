import Core
import Testing

struct TerminalColorsTests {
    @Test(arguments: [
        ("rgb:1e/1e/1e", 0x1E1E1E), ("rgb:ffff/8080/0000", 0xFF8000), ("rgb:f/0/f", 0xFF00FF),
        ("rgb:fff/000/800", 0xFF0080),
        ("#abc", 0xA0B0C0), ("#12aBff", 0x12ABFF), ("#123456789", 0x124578), ("#111122223333", 0x112233),
    ])
    func `parses colors in X11 formats`(_ text: String, _ value: Int) {
        #expect(TerminalColors.value(of: Array(text.utf8)[...]) == UInt32(value))
    }

    @Test(arguments: [
        "", "#", "#12", "#1234567", "rgb:", "rgb:1/2", "rgb:1/2/3/4", "rgb:12345/0/0", "rgb:+1/0/0", "rgb:g/0/0", "red",
    ])
    func `rejects invalid colors`(_ text: String) {
        #expect(TerminalColors.value(of: Array(text.utf8)[...]) == nil)
    }

    @Test func `encoding and decoding preserve colors, and unknown colors are skipped`() throws {
        var colors = TerminalColors()
        colors[.foreground] = 0x123456
        colors[try #require(.palette(255))] = 0xFFFFFF
        colors[try #require(.special(4))] = 1
        #expect(TerminalColors(decoding: colors.bytes[...]) == colors)
        #expect(TerminalColors(decoding: (colors.bytes + [0xFF, 0xFF, 1, 2, 3])[...]) == colors)
        #expect(TerminalColors(decoding: colors.bytes.dropLast()) == nil)
        #expect(TerminalColors.text(of: 0x010AFF) == "rgb:0101/0a0a/ffff")
    }
}
