/// The style of text on a stream.
package struct OutputStyle: Hashable, Sendable {
    package var isColored: Bool
    /// The width to which the lines of tables are truncated; nil means no limit.
    package var columns: Int?

    /// The style for a file or pipe.
    package static let plain = OutputStyle(isColored: false, columns: nil)

    package init(isColored: Bool, columns: Int?) {
        self.isColored = isColored
        self.columns = columns
    }

    /// Makes text bold if colors are enabled.
    package func bold(_ text: String) -> String {
        isColored ? "\u{1b}[1m\(text)\u{1b}[0m" : text
    }

    /// Makes text red if colors are enabled.
    func red(_ text: String) -> String {
        isColored ? "\u{1b}[31m\(text)\u{1b}[0m" : text
    }

    /// Makes text dim if colors are enabled.
    func dim(_ text: String) -> String {
        isColored ? "\u{1b}[2m\(text)\u{1b}[0m" : text
    }
}
