import Core

/// A character on a screen, with all its cells.
package struct ScreenCell: Hashable, Sendable {
    /// The character; empty if nothing was written.
    package var text: String
    /// The number of cells, 1 or 2.
    package var width: Int
    package var style: Style
    package var link: Link?

    package init(text: String, width: Int, style: Style, link: Link?) {
        (self.text, self.width, self.style, self.link) = (text, width, style, link)
    }

    /// The text, or a space if nothing was written.
    package var shown: String { text.isEmpty ? " " : text }
}
