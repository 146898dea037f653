import Arguments
import Core
import Terminal

/// The options for the format of a screen.
struct ScreenOptions {
    static let format = Option(
        "format",
        .choice("FORMAT", ScreenRendering.Format.allCases),
        default: "text",
        summary: "write plain text, ANSI-colored text, JSON, an HTML page or an SVG image"
    )
    private let format: ScreenRendering.Format?

    private static let theme = Option(
        "theme",
        .theme,
        default: Theme.standard.name,
        summary: "use the colors of this theme",
        details: "This option applies only to html and svg."
    )
    private let theme: Theme?

    private static let join = Option.flag(
        "join",
        summary: "join wrapped rows into one line",
        details: "This option applies only to text and ansi."
    )
    private let joinsRows: Bool

    static let options: [any CommandOption] = [format, theme, join]

    init(_ call: Call) {
        format = call[Self.format]
        theme = call[Self.theme]
        joinsRows = call[Self.join]
    }

    /// Returns how to write the screen; `isJSON` is whether `--json` was given, and `recorded` is the theme of the
    /// recording, which `--theme` overrides.
    ///
    /// - Throws: `usage` for incompatible options.
    func rendering(isJSON: Bool, recorded: Theme? = nil) throws(VTError) -> ScreenRendering {
        let format = format ?? (isJSON ? .json : .text)
        guard !isJSON || format == .json else {
            throw VTError(.usage, "options '--json' and '--format \(format.rawValue)' cannot be used together")
        }
        guard theme == nil || format == .html || format == .svg else {
            throw VTError(
                .usage,
                "--theme cannot be used with --format \(format.rawValue)",
                hint: "use --format html or svg"
            )
        }
        guard !joinsRows || format == .text || format == .ansi else {
            throw VTError(
                .usage,
                "--join cannot be used with --format \(format.rawValue)",
                hint: "use --format text or ansi"
            )
        }
        return ScreenRendering(format, theme: theme ?? recorded ?? .standard, joinsRows: joinsRows)
    }
}
