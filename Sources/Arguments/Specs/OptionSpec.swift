import Core

/// The description of an option.
package struct OptionSpec: Sendable {
    /// The long name without its dashes.
    package var long: String
    /// The long name that the option had in earlier versions; it is still accepted, but not shown.
    package var formerName: String?
    /// The letter of the short form.
    package var short: Character?
    /// Nil for a flag.
    package var value: ValueSpec?
    /// Whether the option can be given more than once.
    package var isRepeatable = false
    /// The heading under which help and the manual list the option; nil for the command's own options.
    package var heading: String?
    /// The topic that explains the options under the heading; help and the manual then only list their names.
    package var topic: String?
    var excluded: Exclusions
    let makeSummary: @Sendable () -> String
    let makeDetails: @Sendable () -> String?
    /// Converts the occurrences of the option on a command line.
    var convert: (@Sendable ([OptionOccurrence]) throws(VTError) -> any Sendable)?

    /// A function, because two options can exclude each other.
    package typealias Exclusions = @Sendable () -> [any CommandOption]

    /// Long names of options that cannot be combined with this one; each pair is listed by at least one of the two.
    package var excludes: [String] { excluded().map(\.long) }

    /// A lower-case phrase without a period, made only when it is shown.
    package var summary: String { makeSummary() }

    /// Full sentences, shown by `--help` and in the manual after the summary.
    package var details: String? { makeDetails() }

    private var shortText: String? {
        short.map(String.init)
    }

    /// `-p, --port PORT`; options without a short form are indented to align.
    package var signature: String {
        let shortForm = short.map { "-\($0), " } ?? "    "
        return "\(shortForm)--\(long)" + (value.map { " \($0.synopsis)" } ?? "")
    }

    /// `-p/--port`.
    var names: String {
        (short.map { "-\($0)/" } ?? "") + "--\(long)"
    }
}

extension OptionSpec: JSONDocument {
    package static let documentName = "option"
    package static let documentSummary = "an option of a command"

    package static let fields: JSONTable<Self> = [
        .field("long", \.long, "long name without dashes"),
        .field("short", \.shortText, "letter of the short form"),
        .field("value", \.value, "value that it takes; absent for a flag"),
        .field("repeatable", \.isRepeatable, "whether the option can be given more than once"),
        .field(
            "excludes",
            \.excludes,
            "options that cannot be combined with this one; each pair is listed by at least one of the two"
        ),
        .field("summary", \.summary, "what it does, in one phrase"),
        .field("details", \.details, "additional explanation, in full sentences"),
    ]
}
