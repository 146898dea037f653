import Arguments
import Core

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
