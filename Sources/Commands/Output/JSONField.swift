import Arguments

/// The description of a field, without its name.
package struct JSONField {
    let type: JSONType
    let unit: FieldSpec.Unit?
    let isOptional: Bool
    let meaning: String

    /// Describes a field whose type differs from the type of its property.
    init(_ type: JSONType, _ meaning: String, in unit: FieldSpec.Unit? = nil, isOptional: Bool = false) {
        self.type = type
        self.unit = unit
        self.isOptional = isOptional
        self.meaning = meaning
    }

    /// Describes a field with the type of its property; `meaning` is a phrase without a period.
    init<Root, Value: JSONValue>(
        _ property: KeyPath<Root, Value>,
        _ meaning: String,
        in unit: FieldSpec.Unit? = nil
    ) {
        self.init(Value.jsonType, meaning, in: unit, isOptional: Value.isOptional)
    }

    /// Describes a string field whose values are the raw values of an enumeration.
    init<Root, Value: JSONValue, Choices: CaseIterable & RawRepresentable<String>>(
        _ property: KeyPath<Root, Value>,
        of choices: Choices.Type,
        _ meaning: String
    ) {
        let type = JSONType.choice(Choices.allCases.map(\.rawValue))
        self.init(type, meaning, isOptional: Value.isOptional)
    }
}
