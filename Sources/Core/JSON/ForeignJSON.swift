/// A value from a document of another program, of which vt need not know everything.
package struct ForeignJSON: JSONValue, Hashable, Sendable {
    package static var jsonType: JSONType { .any }

    private let bytes: [UInt8]

    /// Copies a value of a document without spaces; characters that a terminal would interpret are escaped.
    package init(_ value: JSONOutline, in document: [UInt8]) {
        var writer = JSONWriter()
        writer.copy(value, in: document)
        bytes = writer.bytes
    }

    package func write(to writer: inout JSONWriter) { writer.json(bytes) }
}

extension JSONWriter {
    fileprivate mutating func copy(_ value: JSONOutline, in document: [UInt8]) {
        switch value.content {
        case .object(let members):
            object { writer in
                for member in members {
                    writer.name(member.name)
                    writer.copy(member.value, in: document)
                }
            }
        case .array(let elements):
            array { writer in
                for element in elements { writer.copy(element, in: document) }
            }
        case .string: string(value.string(in: document) ?? "")
        case .number, .bool, .null: json(Array(document[value.range]))
        }
    }
}
