/// The name of a session: 1–64 characters from `A–Z a–z 0–9 . _ -`, not starting with `.` or `-`, and not in the form
/// of a session ID.
package struct SessionName: Hashable, Sendable {
    package let text: String

    /// In place of a name that is not known yet; no session has it.
    package static let none = SessionName(checked: "")

    private init(checked text: String) {
        self.text = text
    }

    /// - Throws: `usage` when the text is not a valid name.
    package init(_ text: String) throws(VTError) {
        guard ProfileName.isWellFormed(text) else {
            throw VTError(
                .usage,
                "invalid session name '\(text)'",
                hint: "use 1 to 64 of the characters A-Z a-z 0-9 . _ - and start with a letter, a digit or _"
            )
        }
        guard SessionID(text) == nil else {
            throw VTError(.usage, "'\(text)' looks like a session ID", hint: "choose another session name")
        }
        self.text = text
    }
}

extension SessionName: JSONReadable {
    package static var jsonType: JSONType { .string }

    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = try json.valid(json.string(in: document).flatMap { try? SessionName($0) })
    }

    package func write(to writer: inout JSONWriter) { writer.string(text) }
}
