import Core

/// The appearance that a text must have.
package struct TextStyle: Hashable, Sendable {
    package var foreground: Color?
    package var background: Color?
    package var attributes: Style.Attributes = []
    package var isUnderlined = false

    package init() {}

    package func matches(_ style: Style) -> Bool {
        (foreground ?? style.foreground) == style.foreground && (background ?? style.background) == style.background
            && style.attributes.isSuperset(of: attributes) && (!isUnderlined || style.underline != .none)
    }
}

extension Color {
    /// Parses a name of the 16 ANSI colors, such as `red` or `bright-red`, an index from 0 to 255, `#rrggbb` or `default`.
    ///
    /// - Throws: `usage`.
    package init(parsing text: String) throws(VTError) {
        if text == "default" {
            self = .standard
        } else if let index = Self.ansiNames.firstIndex(of: text) {
            self = .indexed(UInt8(index))
        } else if let index: UInt8 = NumberText.whole(text) {
            self = .indexed(index)
        } else if text.hasPrefix("#"), text.utf8.count == 7, text.dropFirst().allSatisfy(\.isHexDigit),
            let value = UInt32(text.dropFirst(), radix: 16)
        {
            self = .rgb(
                UInt8(truncatingIfNeeded: value >> 16),
                UInt8(truncatingIfNeeded: value >> 8),
                UInt8(truncatingIfNeeded: value)
            )
        } else {
            throw VTError(
                .usage,
                "invalid color '\(text)'",
                hint: "use a name such as red or bright-red, a number from 0 to 255, #rrggbb or default"
            )
        }
    }

    private static let ansiNames: [String] = {
        let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
        return names + names.map { "bright-\($0)" }
    }()
}
