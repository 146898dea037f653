/// A value that is a JSON object, with its fields declared in a table.
package protocol JSONDocument: JSONValue {
    /// A lower-case noun, unique among all documents: `session`.
    static var documentName: String { get }
    /// A phrase without a period.
    static var documentSummary: String { get }
    static var fields: JSONTable<Self> { get }
}

extension JSONDocument {
    package static var jsonType: JSONType {
        .object(ObjectSpec(documentName, documentSummary, fields: fields.fields.map(\.spec)))
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { Self.fields.write(self, to: &$0) }
    }
}

/// A JSON object that can also be read.
package protocol JSONRecord: JSONDocument, JSONReadable {
    /// A value whose fields are to be read; fields that are missing keep the values that they have here.
    init()
}

extension JSONRecord {
    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self.init()
        _ = try Self.fields.read(json, in: document, into: &self)
    }
}
