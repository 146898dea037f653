import Core

/// All that is known of a command: what the parser accepts, and what help, manual and completions show.
package struct CommandSpec: Sendable {
    /// The words that name it: `["profile", "add"]`; one or two.
    package var path: [String]
    /// A lower-case phrase without a full stop.
    package var summary: String
    /// Paragraphs of whole sentences.
    package var description: [String]
    package var operands: [OperandSpec]
    package var options: [OptionSpec]
    package var examples: [ExampleSpec]
    /// The failure classes beyond `usage`, `io` and `internal`, which every command has.
    package var exitCodes: [ExitCode]
    /// Whether the exit status is a program's, and 255 stands for every failure of vt itself.
    package var passesStatusThrough: Bool
    /// Whether help, manual and completions leave it out.
    package var isHidden: Bool

    package init(
        _ path: [String],
        summary: String,
        description: [String] = [],
        operands: [OperandSpec] = [],
        options: [OptionSpec] = [],
        examples: [ExampleSpec] = [],
        exitCodes: [ExitCode] = [],
        passesStatusThrough: Bool = false,
        isHidden: Bool = false
    ) {
        self.path = path
        self.summary = summary
        self.description = description
        self.operands = operands
        self.options = options
        self.examples = examples
        self.exitCodes = exitCodes
        self.passesStatusThrough = passesStatusThrough
        self.isHidden = isHidden
    }

    /// The path as typed after `vt`.
    package var name: String {
        path.joined(separator: " ")
    }

    /// The operand that takes the rest of the line.
    package var commandWords: OperandSpec? {
        operands.last.flatMap { $0.arity == .commandWords ? $0 : nil }
    }

    /// `vt profile add [OPTIONS] NAME DESTINATION`.
    package var synopsis: String {
        let words = ["vt"] + path + (options.isEmpty ? [] : ["[OPTIONS]"]) + operands.map(\.synopsis)
        return words.joined(separator: " ")
    }
}

extension CommandSpec: Encodable {
    private enum CodingKeys: String, CodingKey {
        case path, summary, description, operands, options, examples
        case exitCodes = "exit_codes"
        case passesStatusThrough = "passes_status_through"
        case isHidden = "hidden"
    }
}
