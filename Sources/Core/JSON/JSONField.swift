/// A field of a type of JSON object: its name, its value and its description.
///
/// Creating a key path takes 10,000 instructions. The compiler replaces it with the access to a property in a closure that
/// captures nothing else, if the function with the closure is inlined.
package struct JSONField<Root: SendableMetatype>: Sendable {
    package typealias Read = @Sendable (JSONOutline, [UInt8], inout Root) throws(JSONValueError) -> Void

    /// In snake_case.
    package let name: String
    /// A phrase without a period.
    private let meaning: String
    private let unit: FieldSpec.Unit?
    /// The type in the reference, which can be narrower than that of the property.
    private let type: @Sendable () -> JSONType
    private let isOptional: Bool
    /// Writes the member with this name, unless its value is absent.
    private let writeMember: @Sendable (String, Root, inout JSONWriter) -> Void
    /// Nil if the field is only written.
    private(set) var read: Read?
    /// The property of a field that is also read.
    private var path: (@Sendable () -> any PartialKeyPath<Root> & Sendable)?
    /// Copies this property from one value to another.
    private(set) var copy: (@Sendable (Root, inout Root) -> Void)?
    /// Whether an object without the field cannot be read.
    private(set) var isRequired = false

    private init(
        _ name: String,
        _ meaning: String,
        _ unit: FieldSpec.Unit?,
        _ type: @escaping @Sendable () -> JSONType,
        isOptional: Bool,
        write: @escaping @Sendable (String, Root, inout JSONWriter) -> Void
    ) {
        self.name = name
        self.meaning = meaning
        self.unit = unit
        self.type = type
        self.isOptional = isOptional
        writeMember = write
    }

    /// Declares a field that is only written.
    @inline(__always)
    package static func field<Value: JSONValue>(
        _ name: String,
        _ path: @autoclosure @escaping @Sendable () -> any KeyPath<Root, Value> & Sendable,
        _ meaning: String,
        in unit: FieldSpec.Unit? = nil,
        as type: @autoclosure @escaping @Sendable () -> JSONType = Value.jsonType
    ) -> Self {
        Self(name, meaning, unit, type, isOptional: Value.isOptional) {
            $2.member($0, $1[keyPath: path()])
        }
    }

    /// Declares a field that is written and read.
    ///
    /// If a field `isRequired`, objects without it cannot be read; by default, a field is required unless its type is
    /// optional.
    @inline(__always)
    package static func stored<Value: JSONReadable>(
        _ name: String,
        _ path: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Value> & Sendable,
        _ meaning: String,
        in unit: FieldSpec.Unit? = nil,
        as type: @autoclosure @escaping @Sendable () -> JSONType = Value.jsonType,
        isRequired: Bool = !Value.isOptional
    ) -> Self {
        var field = Self(name, meaning, unit, type, isOptional: Value.isOptional) {
            $2.member($0, $1[keyPath: path()])
        }
        field.isRequired = isRequired
        field.read = { json, document, root throws(JSONValueError) in
            root[keyPath: path()] = try Value(json, in: document)
        }
        field.path = path
        field.copy = { source, root in root[keyPath: path()] = source[keyPath: path()] }
        return field
    }

    /// Declares a member of a message between programs of vt, which no reference describes.
    ///
    /// It is omitted if `get` returns nil; `set` rejects a value by throwing.
    package static func member<Value: JSONReadable>(
        _ name: String,
        isRequired: Bool = false,
        get: @escaping @Sendable (Root) -> Value?,
        set: @escaping @Sendable (Value, inout Root) throws(JSONValueError) -> Void
    ) -> Self {
        var field = Self(name, "", nil, { Value.jsonType }, isOptional: !isRequired) { $2.member($0, get($1)) }
        field.isRequired = isRequired
        field.read = { json, document, root throws(JSONValueError) in try set(try Value(json, in: document), &root) }
        return field
    }

    /// Declares a member that is omitted if it is nil.
    package static func member<Value: JSONReadable>(
        _ name: String,
        _ path: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Value?> & Sendable
    ) -> Self {
        member(name, get: { $0[keyPath: path()] }, set: { $1[keyPath: path()] = $0 })
    }

    /// Declares a member that is omitted if it has its usual value; without one, it is required.
    package static func member<Value: JSONReadable & Equatable & Sendable>(
        _ name: String,
        _ path: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Value> & Sendable,
        usual: Value? = nil
    ) -> Self {
        member(
            name,
            isRequired: usual == nil,
            get: { $0[keyPath: path()] == usual ? nil : $0[keyPath: path()] },
            set: { $1[keyPath: path()] = $0 }
        )
    }

    /// Writes the member, unless its value is absent.
    package func write(_ root: Root, _ writer: inout JSONWriter) {
        writeMember(name, root, &writer)
    }

    /// Whether the field is also read.
    package var isStored: Bool { read != nil }

    /// The property of a field that is also read.
    package var property: (any PartialKeyPath<Root> & Sendable)? { path?() }

    /// Returns the field for values that contain `Root` at a path; it is only written.
    ///
    /// With a condition, the field is absent from values that do not satisfy it.
    package func nested<Outer>(
        in path: any KeyPath<Outer, Root> & Sendable,
        if condition: (@Sendable (Outer) -> Bool)? = nil
    ) -> JSONField<Outer> {
        JSONField<Outer>(name, meaning, unit, type, isOptional: isOptional || condition != nil) {
            [writeMember] name, outer, writer in
            guard condition?(outer) ?? true else { return }
            writeMember(name, outer[keyPath: path], &writer)
        }
    }

    package var spec: FieldSpec {
        FieldSpec(name, type(), meaning, in: unit, isOptional: isOptional)
    }
}
