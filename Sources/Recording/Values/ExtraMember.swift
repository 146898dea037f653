/// A header member unknown to vt, preserved as written.
package struct ExtraMember: Hashable, Sendable {
    /// The name, with its escapes decoded.
    package var name: String
    /// The name, colon and value as JSON, on one line.
    package var text: [UInt8]

    package init(name: String, text: [UInt8]) {
        self.name = name
        self.text = text
    }
}
