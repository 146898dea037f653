/// The value that an option takes.
package struct ValueSpec: Hashable, Sendable {
    /// In capitals: `FILE`.
    package var placeholder: String
    /// The only values there are; empty: any value.
    package var choices: [String]
    package var completion: CompletionKind
    /// What holds when the option is not given, as the user would write it.
    package var defaultText: String?

    package init(
        _ placeholder: String,
        choices: [String] = [],
        completion: CompletionKind = .none,
        defaultText: String? = nil
    ) {
        self.placeholder = placeholder
        self.choices = choices
        self.completion = completion
        self.defaultText = defaultText
    }

    /// How the value is written in a synopsis: the choices where there are a few, else the placeholder.
    package var synopsis: String {
        shownChoices.isEmpty ? placeholder : shownChoices.joined(separator: "|")
    }

    /// The choices, unless they are too many to stand behind the name of the option.
    var shownChoices: [String] {
        choices.joined(separator: "|").utf8.count <= 40 ? choices : []
    }
}

extension ValueSpec: Encodable {
    private enum CodingKeys: String, CodingKey {
        case placeholder, choices, completion
        case defaultText = "default"
    }
}
