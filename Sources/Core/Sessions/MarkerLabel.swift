/// The label of a marker: at most 256 bytes without control characters; may be empty.
package struct MarkerLabel: Hashable, Sendable {
    package let text: String

    package static let none = MarkerLabel(checked: "")
    /// The labels of the markers at which the shell of a session was ended and started again.
    package static let paused = MarkerLabel(checked: "paused")
    package static let resumed = MarkerLabel(checked: "resumed")
    private static let limitBytes = 256

    private init(checked text: String) {
        self.text = text
    }

    /// - Throws: `usage` when the text is too long, or would not be shown as it is.
    package init(_ text: String) throws(VTError) {
        guard text.utf8.count <= Self.limitBytes else {
            throw VTError(.usage, "the label is longer than \(Self.limitBytes) bytes")
        }
        guard !text.unicodeScalars.contains(where: \.isUnsafeForTerminals) else {
            throw VTError(.usage, "the label '\(text.sanitized)' contains control characters")
        }
        self.text = text
    }
}

extension MarkerLabel: JSONReadable {
    package static var jsonType: JSONType { .string }

    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = try json.valid(json.string(in: document).flatMap { try? MarkerLabel($0) })
    }

    package func write(to writer: inout JSONWriter) { writer.string(text) }
}
