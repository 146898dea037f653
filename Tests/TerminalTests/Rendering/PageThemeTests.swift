import Foundation
import Terminal
import TestSupport
import Testing

/// The table of themes in the page of `vt serve`.
struct PageThemeTests {
    @Test func `the page has the colors of all themes`() throws {
        let script = try String(contentsOfFile: "\(TestTree.root)/Sources/Web/Page/app.js", encoding: .utf8)
        for theme in Theme.all {
            let colors = [theme.background, theme.foreground, theme.cursor].map(digits).joined(separator: " ")
            #expect(script.contains("\"\(theme.name)\": \"\(colors)"), "\(theme.name)")
            #expect(script.contains(" " + theme.palette.map(digits).joined(separator: " ") + "\""), "\(theme.name)")
        }
    }

    /// The color as `rgb` if possible, otherwise as `rrggbb`.
    private func digits(_ color: Theme.RGB) -> String {
        let digits = Array(color.text.dropFirst())
        guard digits[0] == digits[1], digits[2] == digits[3], digits[4] == digits[5] else { return String(digits) }
        return String([digits[0], digits[2], digits[4]])
    }
}
