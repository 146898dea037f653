import Core

/// A group of commands: a first word that must be followed by a verb.
package struct GroupSpec: Hashable, Sendable {
    package var name: String
    /// A lower-case phrase without a period.
    package var summary: String

    package init(_ name: String, _ summary: String) {
        self.name = name
        self.summary = summary
    }
}

extension GroupSpec: JSONDocument {
    package static let documentName = "group"
    package static let documentSummary = "a first word that must be followed by a verb"

    package static let fields: JSONTable<Self> = [
        .field("name", \.name, "the word"),
        .field("summary", \.summary, "what its commands do, in one phrase"),
    ]
}
