/// A word of a command line that is no option.
package struct OperandSpec: Hashable, Sendable {
    /// How many words it takes.
    package enum Arity: String, Encodable, Sendable {
        case one
        case optional
        case oneOrMore = "one_or_more"
        case zeroOrMore = "zero_or_more"
        /// All words to the end of the line, at least one; options are not looked for among them.
        ///
        /// Such an operand is the last one and stands after operands that take one word each. The words stay bytes.
        case commandWords = "command_words"
        /// The same, and there may be none.
        case optionalCommandWords = "optional_command_words"

        /// Whether it takes the rest of the line.
        package var isCommand: Bool {
            self == .commandWords || self == .optionalCommandWords
        }
    }

    /// In capitals, and its key in `ParsedArguments`: `NAME`.
    package var placeholder: String
    package var arity: Arity
    package var completion: CompletionKind
    /// Long names of options that take its place: when one of them comes before it, there is no such operand.
    package var omittedWith: [String]

    package init(
        _ placeholder: String,
        _ arity: Arity = .one,
        completion: CompletionKind = .none,
        omittedWith: [String] = []
    ) {
        self.placeholder = placeholder
        self.arity = arity
        self.completion = completion
        self.omittedWith = omittedWith
    }

    /// How the operand is written in a synopsis: `NAME`, `[NAME]`, `NAME...`, `[NAME...]`, `[--] COMMAND...`.
    package var synopsis: String {
        switch arity {
        case .one: omittedWith.isEmpty ? placeholder : "[\(placeholder)]"
        case .optional: "[\(placeholder)]"
        case .oneOrMore: omittedWith.isEmpty ? "\(placeholder)..." : "[\(placeholder)...]"
        case .zeroOrMore: "[\(placeholder)...]"
        case .commandWords: "[--] \(placeholder)..."
        case .optionalCommandWords: "[[--] \(placeholder)...]"
        }
    }
}

extension OperandSpec: Encodable {
    private enum CodingKeys: String, CodingKey {
        case placeholder, arity, completion
        case omittedWith = "omitted_with"
    }
}
