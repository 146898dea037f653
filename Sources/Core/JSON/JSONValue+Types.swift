// How types that are not specific to JSON are written and read.

extension JSONValue where Self: RawRepresentable<String> {
    package static var jsonType: JSONType { .string }

    package func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}

extension JSONValue where Self: CaseIterable & RawRepresentable<String> {
    package static var jsonType: JSONType { .choice(allCases.map(\.rawValue)) }
}

extension JSONReadable where Self: RawRepresentable<String> {
    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = try json.valid(json.string(in: document).flatMap(Self.init(rawValue:)))
    }
}

extension JSONReadable where Self: FixedWidthInteger {
    package static var jsonType: JSONType { .integer }

    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = try json.valid(json.integer(in: document))
    }

    package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Int: JSONReadable {}
extension Int32: JSONReadable {}
extension Int64: JSONReadable {}
extension UInt8: JSONReadable {}
extension UInt16: JSONReadable {}
extension UInt32: JSONReadable {}
extension UInt64: JSONReadable {}

extension String: JSONReadable {
    package static var jsonType: JSONType { .string }

    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = try json.valid(json.string(in: document))
    }

    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: JSONReadable {
    package static var jsonType: JSONType { .boolean }

    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = try json.valid(json.bool(in: document))
    }

    package func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension Double: JSONValue {
    package static var jsonType: JSONType { .number }

    package func write(to writer: inout JSONWriter) { writer.number(self) }
}

extension Optional: JSONValue where Wrapped: JSONValue {
    package static var jsonType: JSONType { Wrapped.jsonType }
    package static var isOptional: Bool { true }
    package var isAbsent: Bool { self == nil }

    package func write(to writer: inout JSONWriter) { self?.write(to: &writer) }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = try Wrapped(json, in: document)
    }
}

extension Array: JSONValue where Element: JSONValue {
    package static var jsonType: JSONType { .array(Element.jsonType) }

    package func write(to writer: inout JSONWriter) {
        writer.array { writer in for element in self { element.write(to: &writer) } }
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = try json.valid(json.elements).map { element throws(JSONValueError) in
            try Element(element, in: document)
        }
    }
}

/// Keys are sorted.
extension Dictionary: JSONValue where Key == String, Value: JSONValue {
    package static var jsonType: JSONType { .map(Value.jsonType) }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, value) in sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
        }
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = [:]
        for member in try json.valid(json.members) {
            do throws(JSONValueError) {
                self[member.name] = try Value(member.value, in: document)
            } catch {
                throw error.inMember(member.name)
            }
        }
    }
}

/// In milliseconds.
extension Duration: JSONReadable {
    package static var jsonType: JSONType { .integer }

    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = .milliseconds(try Int64(json, in: document))
    }

    package func write(to writer: inout JSONWriter) { writer.integer(wholeMilliseconds) }
}

extension VTError.Code: JSONValue {}
extension VTError.SessionEnd.Reason: JSONValue {}
