import Core

/// The specification of a command, used by the parser, help, manual and completions.
package struct CommandSpec: Sendable {
    /// The one or two words of the command's name: `["profile", "add"]`.
    package var path: [String]
    /// A lower-case phrase without a period.
    package var summary: String
    /// Paragraphs of full sentences; lines of shell input are indented by four spaces.
    package var description: [String]
    package var operands: [OperandSpec]
    package var options: [OptionSpec]
    package var examples: [ExampleSpec]
    package var files: [FileSpec]
    /// The error codes of this command, in addition to `usage`, `io` and `internal`, which every command can report.
    package var exitCodes: [VTError.Code]
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
        examples: [ExampleSpec] = [],
        files: [FileSpec] = [],
        exitCodes: [VTError.Code] = [],
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
        self.examples = examples
        self.files = files
        self.exitCodes = exitCodes
        self.passesStatusThrough = passesStatusThrough
        self.passesStatusThroughWith = passesStatusThroughWith.map(\.long)
        self.passesStatusThroughWithCommand = passesStatusThroughWithCommand
        self.hasOwnSyntax = hasOwnSyntax
        self.isHidden = isHidden
    }

    /// The path as typed after `vt`.
    package var name: String {
        path.joined(separator: " ")
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

    /// The options by heading, of which the first is nil.
    var optionGroups: [(heading: String?, options: [OptionSpec])] {
        var groups: [(heading: String?, options: [OptionSpec])] = []
        for option in options {
            if let index = groups.firstIndex(where: { $0.heading == option.heading }) {
                groups[index].options.append(option)
            } else {
                groups.append((option.heading, [option]))
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
            "one paragraph per element; lines of shell input are indented by four spaces"
        ),
        .field("operands", \.operands, "operands, in order"),
        .field("options", \.options, "options, without the global options"),
        .field("examples", \.examples, "examples"),
        .field("files", \.files, "files that the command uses"),
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
