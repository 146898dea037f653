import Core

/// The JSON of a row of a list, from which the values of its fields are read.
struct ListRecord {
    private let document: [UInt8]
    private let outline: JSONOutline

    init(_ row: some JSONValue) throws(VTError) {
        document = row.json
        do throws(JSONSyntaxError) {
            outline = try JSONOutlineParser.parse(document)
        } catch {
            throw VTError(.internal, "a row of the list is not valid JSON: \(error.message)")
        }
    }

    func contains(_ field: ListField) -> Bool {
        value(of: field) != nil
    }

    func number(of field: ListField) -> Double? {
        value(of: field)?.number(in: document)
    }

    /// The value as text: that of a string, or JSON; empty if the row does not have the field.
    func text(of field: ListField) -> String {
        value(of: field).map(text) ?? ""
    }

    /// The values that a filter compares: the elements of an array, or one value.
    func alternatives(of field: ListField) -> [String] {
        guard let elements = value(of: field)?.elements, !elements.isEmpty else {
            let isEmptyArray = value(of: field)?.elements != nil
            return [isEmptyArray ? "" : text(of: field)]
        }
        return elements.map(text)
    }

    private func value(of field: ListField) -> JSONOutline? {
        field.path.reduce(Optional(outline)) { $0?.member($1) }
    }

    private func text(_ value: JSONOutline) -> String {
        value.string(in: document) ?? String(decoding: document[value.range], as: UTF8.self)
    }
}
