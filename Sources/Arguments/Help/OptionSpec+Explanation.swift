extension OptionSpec {
    /// The summary on one line, with the default value and whether the option can be repeated.
    var explanation: String {
        var remarks: [String] = []
        if isRepeatable, value != nil { remarks.append("may be repeated") }
        if let text = value?.defaultText { remarks.append("default: \(text)") }
        return remarks.isEmpty ? summary : "\(summary) (\(remarks.joined(separator: "; ")))"
    }

    /// The explanation, followed by the details, and by the choices if there are too many for the signature.
    var fullExplanation: String {
        var sentences: [String] = []
        if let details { sentences.append(details) }
        if let value, value.shownChoices.isEmpty, !value.choices.isEmpty {
            sentences.append("\(value.placeholder) is one of \(value.choices.joined(separator: ", ")).")
        }
        return sentences.isEmpty ? explanation : "\(explanation). \(sentences.joined(separator: " "))"
    }
}
