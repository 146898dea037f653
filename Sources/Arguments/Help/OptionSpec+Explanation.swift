extension OptionSpec {
    /// The summary with what else a reader needs to know in one line: the default, and whether it may be repeated.
    var explanation: String {
        var remarks: [String] = []
        if isRepeatable, value != nil { remarks.append("may be repeated") }
        if let text = value?.defaultText { remarks.append("default: \(text)") }
        return remarks.isEmpty ? summary : "\(summary) (\(remarks.joined(separator: "; ")))"
    }

    /// The explanation as a sentence, followed by the details and by choices that the signature has no room for.
    var fullExplanation: String {
        var sentences: [String] = []
        if let details { sentences.append(details) }
        if let value, value.shownChoices.isEmpty, !value.choices.isEmpty {
            sentences.append("\(value.placeholder) is one of \(value.choices.joined(separator: ", ")).")
        }
        return sentences.isEmpty ? explanation : "\(explanation). \(sentences.joined(separator: " "))"
    }
}
