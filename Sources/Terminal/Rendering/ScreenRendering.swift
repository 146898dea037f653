import Core

/// The format and options for rendering a screen.
package struct ScreenRendering: Hashable, Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case text, ansi, json, html, svg
    }

    package var format: Format
    /// The colors for HTML and SVG.
    package var theme: Theme
    /// Whether wrapped rows are joined into one line, in text and ANSI.
    package var joinsRows: Bool

    package init(_ format: Format = .text, theme: Theme = .standard, joinsRows: Bool = false) {
        self.format = format
        self.theme = theme
        self.joinsRows = joinsRows
    }

    /// Returns the complete document, including the line feed at its end.
    ///
    /// `members` writes additional members of a JSON document before the members of the screen.
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
