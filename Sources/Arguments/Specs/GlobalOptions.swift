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

    /// The specs of these options, including `-h` and `--help`, which the parser handles itself.
    package static let specs: [OptionSpec] = [
        OptionSpec("json", isRepeatable: true, summary: "write JSON to standard output, and report errors as JSON"),
        OptionSpec(
            "quiet",
            short: "q",
            isRepeatable: true,
            excludes: ["verbose"],
            summary: "suppress notes and progress messages, but not errors"
        ),
        OptionSpec("verbose", short: "v", isRepeatable: true, summary: "print details of each step on standard error"),
        OptionSpec(
            "color",
            value: ValueSpec("WHEN", choices: ColorChoice.allCases.map(\.rawValue), defaultText: "auto"),
            summary: "use colors"
        ),
        OptionSpec("help", short: "h", summary: "show help; -h shows the short form"),
    ]
}
