import Core

/// A heading of the list of commands.
package struct SectionSpec: Hashable, Sendable {
    /// One or two words, capitalized.
    package var title: String
    /// The first words of the commands under the heading, in manual order.
    package var words: [String]

    package init(_ title: String, _ words: [String]) {
        self.title = title
        self.words = words
    }
}

extension SectionSpec: JSONDocument {
    package static let documentName = "section"
    package static let documentSummary = "a heading of the list of commands"

    package static let fields: JSONTable<Self> = [
        .field("title", \.title, "heading"),
        .field("words", \.words, "first words of its commands"),
    ]
}
