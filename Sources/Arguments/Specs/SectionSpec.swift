/// A heading of the list of commands.
package struct SectionSpec: Hashable, Sendable {
    /// A capitalized word or two.
    package var title: String
    /// The groups and the commands without a group, by their first word, in manual order.
    package var words: [String]

    package init(_ title: String, _ words: [String]) {
        self.title = title
        self.words = words
    }
}

extension SectionSpec: Encodable {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case title, words
    }
}
