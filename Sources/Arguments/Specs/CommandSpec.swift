import Core

/// The specification of a command, used by the parser, help, manual and completions.
package struct CommandSpec: Sendable {
    /// The one or two words of the command's name: `["profile", "add"]`.
    package var path: [String]
    /// A lower-case phrase without a period.
    package var summary: String
    /// Paragraphs of full sentences, of which those before the first heading say what the command is for.
    ///
    /// Lines of input are indented by four spaces, and headings start with `# `.
    package var description: [String]
    package var operands: [OperandSpec]
    package var options: [OptionSpec]
    /// Long names of the options that most users need, which help shows before the examples; at most five, and none if
    /// the command has only a few options.
    package var commonOptions: [String]
    package var examples: [ExampleSpec]
    /// The error codes of this command, in addition to `usage`, `io` and `internal`, which every command can report.
    package var exitCodes: [VTError.Code]
    /// What exit statuses mean for this command in particular, as phrases without a period.
    package var statuses: KeyValuePairs<Int, String>
    /// Whether the command exits with the status of a program, so that failures of vt itself exit with 255, or with 124
    /// for a timeout.
    package var passesStatusThrough: Bool
    /// Long names of options that also make `passesStatusThrough` true.
    package var passesStatusThroughWith: [String]
    /// Whether `passesStatusThrough` is also true if the optional command to run is present.
    package var passesStatusThroughWithCommand: Bool
    /// Whether the command parses its words itself, in the syntax of another program; vt then recognizes only `-h` and
    /// `--help` as the first word, and global options must precede the command's name.
    package var hasOwnSyntax: Bool
    /// Whether the command is omitted from help, the manual and completions.
    package var isHidden: Bool

    package init(
        _ path: [String],
        summary: String,
        description: [String] = [],
        operands: [any CommandOperand] = [],
        options: [any CommandOption] = [],
        commonOptions: [any CommandOption] = [],
        examples: [ExampleSpec] = [],
        exitCodes: [VTError.Code] = [],
        statuses: KeyValuePairs<Int, String> = [:],
        passesStatusThrough: Bool = false,
        passesStatusThroughWith: [any CommandOption] = [],
        passesStatusThroughWithCommand: Bool = false,
        hasOwnSyntax: Bool = false,
        isHidden: Bool = false
    ) {
        self.path = path
        self.summary = summary
        self.description = description
        self.operands = operands.map(\.spec)
        self.options = options.map(\.spec)
        self.commonOptions = commonOptions.map(\.long)
        self.examples = examples
        self.exitCodes = exitCodes
        self.statuses = statuses
        self.passesStatusThrough = passesStatusThrough
        self.passesStatusThroughWith = passesStatusThroughWith.map(\.long)
        self.passesStatusThroughWithCommand = passesStatusThroughWithCommand
        self.hasOwnSyntax = hasOwnSyntax
        self.isHidden = isHidden
    }

    /// The path as typed after `vt`.
    package var name: String {
        path.spaced
    }

    /// All error codes that the command can exit with, in the order of `VTError.Code`.
    package var allExitCodes: [VTError.Code] {
        let codes = Set(exitCodes).union([.usage, .io, .internal])
        return VTError.Code.allCases.filter(codes.contains)
    }

    /// The operand that consumes the rest of the line, if there is one.
    package var commandWords: OperandSpec? {
        operands.last.flatMap { $0.arity.isCommand ? $0 : nil }
    }

    typealias OptionGroup = (heading: String?, topic: String?, options: [OptionSpec])

    /// The options by heading, those without a heading first.
    var optionGroups: [OptionGroup] {
        var groups: [OptionGroup] = []
        for option in options {
            if let index = groups.firstIndex(where: { $0.heading == option.heading }) {
                groups[index].options.append(option)
            } else {
                groups.append((option.heading, option.topic, [option]))
            }
        }
        return groups.filter { $0.heading == nil } + groups.filter { $0.heading != nil }
    }

    /// `vt profile add [OPTIONS] NAME DESTINATION`.
    package var synopsis: String {
        let options = self.options.isEmpty && !hasOwnSyntax ? [] : ["[OPTIONS]"]
        let words = ["vt"] + path + options + operands.map(\.synopsis)
        return words.joined(separator: " ")
    }
}

extension CommandSpec: JSONDocument {
    package static let documentName = "command"
    package static let documentSummary = "a vt command"

    package static let fields: JSONTable<Self> = [
        .field("path", \.path, "words of the command's name"),
        .field("synopsis", \.synopsis, "usage line"),
        .field("summary", \.summary, "what it does, in one phrase"),
        .field(
            "description",
            \.description,
            "one paragraph per element; lines of shell input are indented by four spaces, and headings start with `# `"
        ),
        .field("operands", \.operands, "operands, in order"),
        .field("options", \.options, "options, without the global options"),
        .field("common_options", \.commonOptions, "long names of the options that most users need"),
        .field("examples", \.examples, "examples"),
        .field("exit_codes", \.allExitCodes, "error classes that the command can report"),
        .field(
            "passes_status_through",
            \.passesStatusThrough,
            "whether it exits with a program's status; if vt itself fails, the status is 255, or 124 on a timeout"
        ),
        .field(
            "passes_status_through_with",
            \.passesStatusThroughWith,
            "options with which it also exits with the status of a program"
        ),
        .field(
            "passes_status_through_with_command",
            \.passesStatusThroughWithCommand,
            "whether it also exits with the status of a program if a command to run is given"
        ),
        .field("hidden", \.isHidden, "whether the command is for internal use"),
    ]
}
