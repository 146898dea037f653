import Arguments
import Core

/// A value that vt can print as JSON, with its type for the reference.
package protocol JSONValue: Encodable {
    static var jsonType: JSONType { get }
    /// Whether a field of this type can be absent.
    static var isOptional: Bool { get }
}

extension JSONValue {
    package static var isOptional: Bool { false }
}

extension JSONValue where Self: CaseIterable & RawRepresentable<String> {
    package static var jsonType: JSONType { .choice(allCases.map(\.rawValue)) }
}

extension JSONValue where Self: FixedWidthInteger {
    package static var jsonType: JSONType { .integer }
}

extension Int: JSONValue {}
extension Int32: JSONValue {}
extension Int64: JSONValue {}
extension UInt8: JSONValue {}
extension UInt16: JSONValue {}
extension UInt32: JSONValue {}
extension UInt64: JSONValue {}

extension String: JSONValue {
    package static var jsonType: JSONType { .string }
}

extension Bool: JSONValue {
    package static var jsonType: JSONType { .boolean }
}

extension Double: JSONValue {
    package static var jsonType: JSONType { .number }
}

extension Timestamp: JSONValue {
    package static var jsonType: JSONType { .string }
}

extension Optional: JSONValue where Wrapped: JSONValue {
    package static var jsonType: JSONType { Wrapped.jsonType }
    package static var isOptional: Bool { true }
}

extension Array: JSONValue where Element: JSONValue {
    package static var jsonType: JSONType { .array(Element.jsonType) }
}

extension Dictionary: JSONValue where Key == String, Value: JSONValue {
    package static var jsonType: JSONType { .map(Value.jsonType) }
}
