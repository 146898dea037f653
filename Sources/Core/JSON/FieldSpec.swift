/// A field of a JSON object.
package struct FieldSpec: Sendable {
    /// The unit or format of a value; the raw value is its name in the reference.
    package enum Unit: String, Sendable {
        case bytes
        case milliseconds = "ms"
        case seconds = "s"
        /// A time in UTC: `2026-11-21T09:30:00Z`.
        case time = "RFC 3339"
        case columns
        case rows
    }

    package var name: String
    package var type: JSONType
    package var unit: Unit?
    /// Whether the field is absent if its value is unknown or does not apply.
    package var isOptional: Bool
    /// A phrase without a period.
    package var meaning: String

    package init(
        _ name: String,
        _ type: JSONType,
        _ meaning: String,
        in unit: Unit? = nil,
        isOptional: Bool = false
    ) {
        self.name = name
        self.type = type
        self.unit = unit
        self.isOptional = isOptional
        self.meaning = meaning
    }
}
