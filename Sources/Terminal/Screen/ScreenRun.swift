import Core

/// Adjacent characters of a row with the same style.
package struct ScreenRun: Hashable, Sendable {
    package var column: Int
    package var width: Int
    package var text: String
    package var style: Style
    package var link: Link?

    /// Whether the run is a single two-cell character.
    var isWide: Bool { width == 2 && text.count == 1 }
}
