import Core

/// A member of a header, with the bytes from which it was parsed.
struct HeaderMember {
    var name: String
    var value: JSONOutline
    /// The document that the outline of the value refers to.
    var document: [UInt8]
    /// The name, colon and value on one line.
    var text: [UInt8]
    /// The line number, starting at 1.
    var line: Int

    /// Returns the members of an object in a document; nil if the value is not an object.
    static func all(of outline: JSONOutline, in document: [UInt8], firstLine: Int) -> [HeaderMember]? {
        outline.members?.map { member in
            HeaderMember(
                name: member.name,
                value: member.value,
                document: document,
                text: oneLine(document[member.range]),
                line: firstLine + member.value.line - 1
            )
        }
    }

    /// Replaces line breaks with spaces, which are equivalent: line breaks can occur only between JSON tokens (RFC 8259
    /// §2).
    static func oneLine(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    }

    var isNull: Bool { value.isNull }

    var string: String? { value.string(in: document) }

    var extra: ExtraMember { ExtraMember(name: name, text: text) }

    /// The members of the value; nil if it is not an object.
    var members: [HeaderMember]? {
        Self.all(of: value, in: document, firstLine: line - value.line + 1)
    }
}
