import Core

/// The order of the rows of a list: `--sort FIELD` or `--sort -FIELD`.
struct ListOrder: Sendable {
    private let field: ListField
    private let isDescending: Bool

    init(parsing text: String, of type: JSONType) throws(VTError) {
        isDescending = text.hasPrefix("-")
        field = try ListField(parsing: isDescending ? String(text.dropFirst()) : text, of: type)
    }

    /// Whether the first row precedes the second; rows without the field come last.
    func places(_ first: ListRecord, before second: ListRecord) -> Bool {
        guard first.contains(field), second.contains(field) else {
            return first.contains(field) && !second.contains(field)
        }
        let (lower, higher) = isDescending ? (second, first) : (first, second)
        if field.isNumber, let number = lower.number(of: field), let other = higher.number(of: field) {
            return number < other
        }
        // The text of times has a fixed format, and therefore their order.
        return lower.text(of: field) < higher.text(of: field)
    }
}
