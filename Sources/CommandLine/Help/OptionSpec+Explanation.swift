extension OptionSpec {
    /// The summary with what else a reader needs to know in one line: the default, and whether it may be repeated.
    var explanation: String {
        var remarks: [String] = []
        if isRepeatable, value != nil { remarks.append("may be repeated") }
        if let text = value?.defaultText { remarks.append("default: \(text)") }
        return remarks.isEmpty ? summary : "\(summary) (\(remarks.joined(separator: "; ")))"
    }

    /// The explanation as a sentence, followed by the details.
    var fullExplanation: String {
        guard let details else { return explanation }
        return "\(explanation). \(details)"
    }
}
