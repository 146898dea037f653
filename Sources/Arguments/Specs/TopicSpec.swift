import Core

/// A page of help about something that several commands have in common.
package struct TopicSpec: Sendable {
    /// One word, which is not the first word of a command.
    package var name: String
    /// A lower-case phrase without a period.
    package var summary: String
    /// In the form of the description of a command; empty for a page that is not made from this description.
    package var description: [String]
    /// The options that are explained on this page, instead of on those of the commands.
    package var options: [OptionSpec]

    package init(_ name: String, summary: String, description: [String], options: [any CommandOption] = []) {
        self.name = name
        self.summary = summary
        self.description = description
        self.options = options.map(\.spec)
    }
}

extension TopicSpec: JSONDocument {
    package static let documentName = "topic"
    package static let documentSummary = "a page of help"

    package static let fields: JSONTable<Self> = [
        .field("name", \.name, "name of the page"),
        .field("summary", \.summary, "what it is about, in one phrase"),
        .field("description", \.description, "one paragraph per element, as in `command`"),
        .field("options", \.options, "options that the page explains"),
    ]
}
