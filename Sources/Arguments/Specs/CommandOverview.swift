/// The description of vt as a whole in help, the manual and completions.
package struct CommandOverview: Sendable {
    /// A lower-case phrase without a period.
    package var summary: String
    /// Paragraphs of full sentences.
    package var description: [String]
    /// Examples of the most important commands, shown at the start of the help.
    package var examples: [ExampleSpec]
    /// The files that the commands use.
    package var files: [FileSpec]
    /// The headings of the list of commands; if there are none, the list has a single heading.
    package var sections: [SectionSpec]
    /// In manual order; groups without commands are not shown.
    package var groups: [GroupSpec]
    /// Pages of help that are not about one command.
    package var topics: [TopicSpec]
    /// Pages of the documentation about commands, relative to the directory `docs`, by the name or the first word of a
    /// command.
    package var guides: [String: [String]]
    /// Hints for commands that other programs have but vt does not, keyed by the words typed: `sessions rm`.
    package var replacements: [String: String]
    /// Returns the JSON documents of each command, in manual order; they are only needed for the reference.
    package var documents: @Sendable () -> [Documents]

    /// A command as typed, `vt profile list`, and the JSON documents that it prints, if any.
    package typealias Documents = (command: String, documents: [DocumentSpec])

    package init(
        summary: String,
        description: [String],
        examples: [ExampleSpec] = [],
        files: [FileSpec] = [],
        sections: [SectionSpec] = [],
        groups: [GroupSpec],
        topics: [TopicSpec] = [],
        guides: [String: [String]] = [:],
        replacements: [String: String] = [:],
        documents: @escaping @Sendable () -> [Documents] = { [] }
    ) {
        self.summary = summary
        self.description = description
        self.examples = examples
        self.files = files
        self.sections = sections
        self.groups = groups
        self.topics = topics
        self.guides = guides
        self.replacements = replacements
        self.documents = documents
    }
}
