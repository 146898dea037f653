import Core

/// A condition for the rows of a list: `--filter FIELD=PATTERN`.
struct ListFilter: Sendable {
    private let field: ListField
    private let pattern: String

    init(parsing text: String, of type: JSONType) throws(VTError) {
        guard let sign = text.firstIndex(of: "=") else {
            throw VTError(.usage, "'\(text)' has no '='", hint: "write FIELD=PATTERN, such as 'name=web*'")
        }
        field = try ListField(parsing: String(text[..<sign]), of: type)
        pattern = String(text[text.index(after: sign)...])
    }

    func matches(_ record: ListRecord) -> Bool {
        record.alternatives(of: field).contains { Wildcard.matches(pattern, $0) }
    }
}
