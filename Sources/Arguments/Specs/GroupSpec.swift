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

extension GroupSpec: Encodable {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case name, summary
    }
}
