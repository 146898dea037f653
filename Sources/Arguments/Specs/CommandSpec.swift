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
        operands: [OperandSpec] = [],
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
        self.operands = operands
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

    /// `vt profile add [OPTIONS] NAME DESTINATION`.
    package var synopsis: String {
        let options = self.options.isEmpty && !hasOwnSyntax ? [] : ["[OPTIONS]"]
        let words = ["vt"] + path + options + operands.map(\.synopsis)
        return words.joined(separator: " ")
    }
}

extension CommandSpec: Encodable {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case path, synopsis, summary, description, operands, options, examples, files
        case exitCodes = "exit_codes"
        case passesStatusThrough = "passes_status_through"
        case passesStatusThroughWith = "passes_status_through_with"
        case passesStatusThroughWithCommand = "passes_status_through_with_command"
        case isHidden = "hidden"
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
        try container.encode(synopsis, forKey: .synopsis)
        try container.encode(summary, forKey: .summary)
        try container.encode(description, forKey: .description)
        try container.encode(operands, forKey: .operands)
        try container.encode(options, forKey: .options)
        try container.encode(examples, forKey: .examples)
        try container.encode(files, forKey: .files)
        try container.encode(allExitCodes, forKey: .exitCodes)
        try container.encode(passesStatusThrough, forKey: .passesStatusThrough)
        try container.encode(passesStatusThroughWith, forKey: .passesStatusThroughWith)
        try container.encode(passesStatusThroughWithCommand, forKey: .passesStatusThroughWithCommand)
        try container.encode(isHidden, forKey: .isHidden)
    }
}
