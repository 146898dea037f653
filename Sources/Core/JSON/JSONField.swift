/// A field of a type of JSON object: its name, its value and its description.
package struct JSONField<Root: SendableMetatype>: Sendable {
    package typealias Read = @Sendable (JSONOutline, [UInt8], inout Root) throws(JSONValueError) -> Void

    /// In snake_case.
    package let name: String
    /// A phrase without a period.
    private let meaning: String
    private let unit: FieldSpec.Unit?
    /// The type in the reference: that of the value unless the value is a string with other possible values.
    private let type: any JSONValue.Type
    private let isOptional: Bool
    /// Whether an object without the field cannot be read.
    let isRequired: Bool
    /// Writes the member, unless its value is absent.
    package let write: @Sendable (Root, inout JSONWriter) -> Void
    /// Nil if the field is only written.
    let read: Read?

    /// Declares a field that is only written.
    package static func field<Value: JSONValue>(
        _ name: String,
        _ path: any KeyPath<Root, Value> & Sendable,
        _ meaning: String,
        in unit: FieldSpec.Unit? = nil,
        as type: any JSONValue.Type = Value.self
    ) -> Self {
        Self(name, path, meaning, unit, type, isRequired: false, nil)
    }

    /// Declares a field that is written and read.
    ///
    /// If a field `isRequired`, objects without it cannot be read; by default, a field is required unless its type is
    /// optional.
    package static func stored<Value: JSONReadable>(
        _ name: String,
        _ path: any WritableKeyPath<Root, Value> & Sendable,
        _ meaning: String,
        in unit: FieldSpec.Unit? = nil,
        as type: any JSONValue.Type = Value.self,
        isRequired: Bool = !Value.isOptional
    ) -> Self {
        Self(name, path, meaning, unit, type, isRequired: isRequired) {
            (json, document, root) throws(JSONValueError) in
            root[keyPath: path] = try Value(json, in: document)
        }
    }

    private init<Value: JSONValue>(
        _ name: String,
        _ path: any KeyPath<Root, Value> & Sendable,
        _ meaning: String,
        _ unit: FieldSpec.Unit?,
        _ type: any JSONValue.Type,
        isRequired: Bool,
        _ read: Read?
    ) {
        self.name = name
        self.meaning = meaning
        self.unit = unit
        self.isRequired = isRequired
        self.read = read
        self.type = type
        isOptional = Value.isOptional
        write = { root, writer in writer.member(name, root[keyPath: path]) }
    }

    package var spec: FieldSpec {
        FieldSpec(name, type.jsonType, meaning, in: unit, isOptional: isOptional)
    }
}
