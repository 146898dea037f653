/// The values of the options that every command accepts.
package struct GlobalOptions: Hashable, Sendable {
    /// When to use colors.
    package enum ColorChoice: String, CaseIterable, Sendable {
        /// On a terminal, unless `NO_COLOR` is set or TERM is `dumb`.
        case auto
        case always
        case never
    }

    package var json: Bool
    package var quiet: Bool
    /// The number of times `--verbose` was given.
    package var verbosity: Int
    package var color: ColorChoice

    package init(json: Bool = false, quiet: Bool = false, verbosity: Int = 0, color: ColorChoice = .auto) {
        self.json = json
        self.quiet = quiet
        self.verbosity = verbosity
        self.color = color
    }

    package static let json = Option.flag("json", summary: "write JSON to standard output, and report errors as JSON")
        .repeatable()
    static let quiet = Option.flag(
        "quiet",
        short: "q",
        excludes: [verbose],
        summary: "suppress notes and progress messages, but not errors"
    ).repeatable()
    static let verbose = Option.flag("verbose", short: "v", summary: "print details of each step on standard error")
        .repeatable()
    static let color = Option("color", .choice("WHEN", ColorChoice.allCases), default: "auto", summary: "use colors")
    /// Handled by the parser itself.
    private static let help = Option.flag("help", short: "h", summary: "show help; -h shows the short form")

    /// The specs of these options.
    package static let specs = [json.spec, quiet.spec, verbose.spec, color.spec, help.spec]
}
