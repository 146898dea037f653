/// How text may look on a stream.
package struct OutputStyle: Hashable, Sendable {
    package var isColored: Bool
    /// Tables are clipped to so many cells; nil: never.
    package var columns: Int?

    /// As in a file or a pipe.
    package static let plain = OutputStyle(isColored: false, columns: nil)

    package init(isColored: Bool, columns: Int?) {
        self.isColored = isColored
        self.columns = columns
    }

    /// Makes text bold where colours are on.
    package func bold(_ text: String) -> String {
        isColored ? "\u{1b}[1m\(text)\u{1b}[0m" : text
    }
}
