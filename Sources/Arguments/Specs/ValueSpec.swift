import Core

/// The value that an option takes.
package struct ValueSpec: Sendable {
    /// In capitals: `FILE`.
    package var placeholder: String
    /// The allowed values; empty if any value is allowed.
    package var choices: [String]
    let makeSuggestions: @Sendable () -> [String]
    /// Whether the value is a list of suggestions, separated by commas.
    package var isList: Bool
    package var completion: CompletionKind
    /// The default value as the user would type it.
    package var defaultText: String?

    /// The value in a synopsis: the choices if there are only a few, otherwise the placeholder.
    package var synopsis: String {
        shownChoices.isEmpty ? placeholder : shownChoices.joined(separator: "|")
    }

    /// Words that a shell offers if any value is allowed, made only when they are shown.
    package var suggestions: [String] { makeSuggestions() }

    /// The words that a shell offers.
    var offered: [String] { choices.isEmpty ? suggestions : choices }

    /// The choices, unless there are too many to list after the option's name.
    var shownChoices: [String] {
        choices.joined(separator: "|").utf8.count <= 40 ? choices : []
    }
}

extension ValueSpec: JSONDocument {
    package static let documentName = "option value"
    package static let documentSummary = "the value of an option"

    package static let fields: JSONTable<Self> = [
        .field("placeholder", \.placeholder, "name in the synopsis"),
        .field("choices", \.choices, "allowed values; empty if any value is allowed"),
        .field("suggestions", \.suggestions, "values that a shell offers if any value is allowed"),
        .field("is_list", \.isList, "whether the value is a list of suggestions, separated by commas"),
        .field("completion", \.completion, "kind of completions that a shell offers"),
        .field("default", \.defaultText, "default, as it would be typed"),
    ]
}
