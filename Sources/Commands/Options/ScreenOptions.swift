import Arguments
import Core
import Terminal

/// In which form a command writes a screen.
struct ScreenOptions {
    static let specs = [
        OptionSpec(
            "format",
            value: ValueSpec(
                "FORMAT",
                choices: ScreenRendering.Format.allCases.map(\.rawValue),
                defaultText: ScreenRendering.Format.text.rawValue
            ),
            summary: "write text, text with colours for a terminal, a JSON document, a page or an image"
        ),
        OptionSpec(
            "theme",
            value: ValueSpec("NAME", choices: Theme.all.map(\.name), defaultText: Theme.standard.name),
            summary: "take the colours of this theme",
            details: "For html and svg."
        ),
        OptionSpec(
            "join",
            summary: "write rows that wrapped as the one line that they are",
            details: "For text and ansi."
        ),
    ]

    private let format: ScreenRendering.Format?
    private let theme: Theme?
    private let joinsRows: Bool

    /// - Throws: `usage` for an option that has no meaning for the format.
    init(_ arguments: ParsedArguments) throws(VTError) {
        format = try arguments.value("format") { text throws(VTError) in
            guard let format = ScreenRendering.Format(rawValue: text) else {
                throw VTError(.usage, "'\(text)' is not a format")
            }
            return format
        }
        theme = try arguments.value("theme") { text throws(VTError) in
            guard let theme = Theme.named(text) else { throw VTError(.usage, "'\(text)' is not a theme") }
            return theme
        }
        joinsRows = arguments.flag("join")
    }

    /// The form to write; `isJSON`: whether `--json` is given; `recorded`: the colours where none are asked for.
    ///
    /// - Throws: `usage` for options that do not go together.
    func rendering(isJSON: Bool, recorded: Theme? = nil) throws(VTError) -> ScreenRendering {
        let format = format ?? (isJSON ? .json : .text)
        guard !isJSON || format == .json else {
            throw VTError(.usage, "'--json' and '--format \(format.rawValue)' exclude each other")
        }
        guard theme == nil || format == .html || format == .svg else {
            throw VTError(.usage, "a theme has no meaning for \(format.rawValue)", hint: "add --format svg")
        }
        guard !joinsRows || format == .text || format == .ansi else {
            throw VTError(.usage, "'--join' has no meaning for \(format.rawValue)", hint: "add --format text")
        }
        return ScreenRendering(format, theme: theme ?? recorded ?? .standard, joinsRows: joinsRows)
    }
}
