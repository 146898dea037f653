/// The value that an option takes.
package struct ValueSpec: Hashable, Sendable {
    /// In capitals: `FILE`.
    package var placeholder: String
    /// The allowed values; empty if any value is allowed.
    package var choices: [String]
    package var completion: CompletionKind
    /// The default value as the user would type it.
    package var defaultText: String?

    /// The value in a synopsis: the choices if there are only a few, otherwise the placeholder.
    package var synopsis: String {
        shownChoices.isEmpty ? placeholder : shownChoices.joined(separator: "|")
    }

    /// The choices, unless there are too many to list after the option's name.
    var shownChoices: [String] {
        choices.joined(separator: "|").utf8.count <= 40 ? choices : []
    }
}

extension ValueSpec: Encodable {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case placeholder, choices, completion
        case defaultText = "default"
    }
}
