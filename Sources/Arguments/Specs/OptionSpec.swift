/// The description of an option.
package struct OptionSpec: Sendable {
    /// The long name without its dashes.
    package var long: String
    /// The letter of the short form.
    package var short: Character?
    /// Nil for a flag.
    package var value: ValueSpec?
    /// Whether the option can be given more than once.
    package var isRepeatable = false
    var excluded: Exclusions
    /// A lower-case phrase without a period.
    package var summary: String
    /// Full sentences, shown by `--help` and in the manual after the summary.
    package var details: String?

    /// A function, because two options can exclude each other.
    package typealias Exclusions = @Sendable () -> [any CommandOption]

    /// Long names of options that cannot be combined with this one; each pair is listed by at least one of the two.
    package var excludes: [String] { excluded().map(\.long) }

    /// `-p, --port PORT`; options without a short form are indented to align.
    package var signature: String {
        let shortForm = short.map { "-\($0), " } ?? "    "
        return "\(shortForm)--\(long)" + (value.map { " \($0.synopsis)" } ?? "")
    }
}

extension OptionSpec: Encodable {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case long, short, value, repeatable, excludes, summary, details
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(long, forKey: .long)
        try container.encodeIfPresent(short.map(String.init), forKey: .short)
        try container.encodeIfPresent(value, forKey: .value)
        try container.encode(isRepeatable, forKey: .repeatable)
        try container.encode(excludes, forKey: .excludes)
        try container.encode(summary, forKey: .summary)
        try container.encodeIfPresent(details, forKey: .details)
    }
}
