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
    /// `document` is the JSON document that contains the screen.
    package func bytes(of screen: Screen, in document: some JSONValue) -> [UInt8] {
        switch format {
        case .text: Array(TextRenderer.render(screen, joined: joinsRows).utf8)
        case .ansi: Array(AnsiRenderer.render(screen, joined: joinsRows).utf8)
        case .html: Array(HTMLRenderer.render(screen, theme: theme).utf8)
        case .svg: Array(SVGRenderer.render(screen, theme: theme).utf8)
        case .json: document.jsonLine
        }
    }
}
