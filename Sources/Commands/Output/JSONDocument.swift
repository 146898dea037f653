import Arguments

/// A JSON object that vt prints, with a description of each of its fields.
///
/// Only described documents can be printed, and `field(_:)` switches over all coding keys without a default, so that
/// the compiler rejects a field that is not described.
package protocol JSONDocument: JSONValue {
    associatedtype CodingKeys: CodingKey, CaseIterable

    /// A lower-case noun, unique among all documents: `session`.
    static var documentName: String { get }
    /// A phrase without a period.
    static var documentSummary: String { get }

    /// Returns the description of the field with this key.
    static func field(_ key: CodingKeys) -> JSONField
}

extension JSONDocument {
    package static var jsonType: JSONType {
        .object(ObjectSpec(documentName, documentSummary, fields: fields))
    }

    private static var fields: [FieldSpec] {
        CodingKeys.allCases.map { key in
            let field = field(key)
            return FieldSpec(key.stringValue, field.type, field.meaning, in: field.unit, isOptional: field.isOptional)
        }
    }
}

extension DocumentSpec {
    /// A single document of this type.
    static func document<Document: JSONValue>(_ type: Document.Type, when condition: String? = nil) -> Self {
        Self(.document, type.jsonType, when: condition)
    }

    /// Documents of this type, one per line.
    static func lines<Document: JSONValue>(_ type: Document.Type, when condition: String? = nil) -> Self {
        Self(.lines, type.jsonType, when: condition)
    }
}
