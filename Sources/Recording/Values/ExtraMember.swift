/// A member of a header that vt does not know, kept as it was written.
package struct ExtraMember: Hashable, Sendable {
    /// With its escapes undone.
    package var name: String
    /// Name, colon and value as JSON, in one line.
    package var text: [UInt8]

    package init(name: String, text: [UInt8]) {
        self.name = name
        self.text = text
    }
}
