/// A kind of JSON object.
package struct ObjectSpec: Sendable {
    /// A lower-case noun, unique among all objects: `session`.
    package var name: String
    /// A phrase without a period.
    package var summary: String
    package var fields: [FieldSpec]

    package init(_ name: String, _ summary: String, fields: [FieldSpec]) {
        self.name = name
        self.summary = summary
        self.fields = fields
    }
}
