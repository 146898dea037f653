import Core

/// A command line argument that is not an option.
package struct OperandSpec: Sendable {
    /// How many words the operand takes.
    package enum Arity: String, CaseIterable, JSONValue, Sendable {
        case one
        case optional
        case oneOrMore = "one_or_more"
        case zeroOrMore = "zero_or_more"
        /// All words to the end of the line, at least one, without parsing options.
        ///
        /// Such an operand is the last one, and each operand before it takes at most one word. The words are kept as
        /// bytes.
        case commandWords = "command_words"
        /// Like `commandWords`, but the words are optional.
        case optionalCommandWords = "optional_command_words"

        /// Whether the operand consumes the rest of the line.
        package var isCommand: Bool {
            self == .commandWords || self == .optionalCommandWords
        }
    }

    /// The name in capitals, such as `NAME`; also the key of the operand in `Call`.
    package var placeholder: String
    package var arity: Arity
    package var completion: CompletionKind
    /// The allowed words; empty if any word is allowed.
    package var choices: [String]
    /// Long names of options that replace the operand: if one of them is given, the operand is omitted.
    ///
    /// If the operand is a command to run, these options make it optional instead.
    package var omittedWith: [String]
    /// Whether the words may be invalid UTF-8, as file names may.
    package var takesBytes: Bool
    /// The hint if the operand is missing; nil to refer to the help.
    package var missingHint: String?
    /// Converts the words of the operand; nil for the command to run, and for a command with its own syntax.
    var convert: (@Sendable ([ByteString]) throws(VTError) -> any Sendable)?

    package init(
        _ placeholder: String,
        _ arity: Arity = .one,
        completion: CompletionKind = .none,
        choices: [String] = [],
        omittedWith: [any CommandOption] = [],
        takesBytes: Bool = false,
        missingHint: String? = nil
    ) {
        self.placeholder = placeholder
        self.arity = arity
        self.completion = completion
        self.choices = choices
        self.omittedWith = omittedWith.map(\.long)
        self.takesBytes = takesBytes
        self.missingHint = missingHint
    }

    /// The operand in a synopsis: `NAME`, `[NAME]`, `NAME...`, `[NAME...]`, `[--] COMMAND...`.
    package var synopsis: String {
        switch arity {
        case .one: omittedWith.isEmpty ? placeholder : "[\(placeholder)]"
        case .optional: "[\(placeholder)]"
        case .oneOrMore: omittedWith.isEmpty ? "\(placeholder)..." : "[\(placeholder)...]"
        case .zeroOrMore: "[\(placeholder)...]"
        case .commandWords: omittedWith.isEmpty ? "[--] \(placeholder)..." : "[[--] \(placeholder)...]"
        case .optionalCommandWords: "[[--] \(placeholder)...]"
        }
    }
}

extension OperandSpec: JSONDocument {
    package static let documentName = "operand"
    package static let documentSummary = "an argument that is not an option"

    package static let fields: JSONTable<Self> = [
        .field("placeholder", \.placeholder, "name in the synopsis"),
        .field("arity", \.arity, "number of words; `command_words` takes the rest of the line"),
        .field("completion", \.completion, "kind of completions that a shell offers"),
        .field("choices", \.choices, "allowed words; empty if any word is allowed"),
        .field("omitted_with", \.omittedWith, "options that replace the operand"),
    ]
}
