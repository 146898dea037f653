import Core

/// The form in which a screen is written.
package struct ScreenRendering: Hashable, Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case text, ansi, json, html, svg
    }

    package var format: Format
    /// For HTML and SVG.
    package var theme: Theme
    /// Whether rows that wrapped become the one line that they are, in text and ANSI.
    package var joinsRows: Bool

    package init(_ format: Format = .text, theme: Theme = .standard, joinsRows: Bool = false) {
        self.format = format
        self.theme = theme
        self.joinsRows = joinsRows
    }

    /// Returns the whole document, with the end of its last line.
    ///
    /// `members` writes what a JSON document tells of the screen before what is on it.
    package func bytes(of screen: Screen, members: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
        switch format {
        case .text: return Array(TextRenderer.render(screen, joined: joinsRows).utf8)
        case .ansi: return Array(AnsiRenderer.render(screen, joined: joinsRows).utf8)
        case .html: return Array(HTMLRenderer.render(screen, theme: theme).utf8)
        case .svg: return Array(SVGRenderer.render(screen, theme: theme).utf8)
        case .json:
            var writer = JSONWriter()
            writer.object { writer in
                members(&writer)
                JSONRenderer.members(of: screen, to: &writer)
            }
            return writer.bytes + [UInt8(ascii: "\n")]
        }
    }
}
