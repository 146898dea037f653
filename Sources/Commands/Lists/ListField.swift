import Core

/// A field of the rows of a list, as in `--fields size.columns`.
struct ListField: Sendable {
    /// The names of the members that lead to the value.
    let path: [String]
    let isNumber: Bool

    /// - Throws: `usage` if rows of this type have no such field; the hint lists the fields.
    init(parsing text: String, of type: JSONType) throws(VTError) {
        path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var found: JSONType? = type
        for name in path { found = found?.field(name) }
        switch found {
        case .integer, .number: isNumber = true
        case .string, .choice, .boolean, .array, .map, .object, .either, .any: isNumber = false
        case nil:
            let hint = "the fields are \(type.fieldPaths.joined(separator: ", "))"
            throw VTError(.usage, "unknown field '\(text)'", hint: hint)
        }
    }
}
