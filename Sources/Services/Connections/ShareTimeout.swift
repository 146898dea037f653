import Core

/// The text form of how long an unused connection is kept for other commands.
package enum ShareTimeout {
    /// The text that disables sharing.
    package static let off = "off"

    /// The environment variable that overrides the setting in profiles.
    package static let variable = "VT_SHARE"

    /// - Parameter text: a duration, such as `5m`, or `off`.
    /// - Returns: the duration; zero disables sharing.
    /// - Throws: `usage` when the text has neither form.
    package static func parse(_ text: String) throws(VTError) -> Duration {
        text == off ? .zero : try Duration(parsing: text)
    }
}
