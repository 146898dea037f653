/// Combinations of the data types of RFC 4251 §5.
extension WireReader {
    package mutating func bool() -> Bool? {
        byte().map { $0 != 0 }
    }

    /// A value preceded by a byte that indicates whether it is present; the outer nil means malformed data.
    package mutating func optional<Value>(_ value: (inout WireReader) -> Value?) -> Value?? {
        guard let isPresent = bool() else { return nil }
        guard isPresent else { return .some(nil) }
        return value(&self).map { .some($0) }
    }

    /// A list: the number of elements and the elements.
    package mutating func list<Element>(_ element: (inout WireReader) -> Element?) -> [Element]? {
        guard let count = uint32() else { return nil }
        var elements: [Element] = []
        for _ in 0..<count {
            guard let next = element(&self) else { return nil }
            elements.append(next)
        }
        return elements
    }
}

extension FixedWidthInteger {
    /// The number as in RFC 4251 §5, big-endian.
    @inlinable
    package var wireBytes: [UInt8] { .wire { $0.appendBigEndian(self) } }
}

extension String {
    /// The length of the text in UTF-8, and its bytes.
    package var wireBytes: [UInt8] { .wire { $0.appendText(self) } }
}

extension [UInt8] {
    /// What a function appends.
    @inlinable
    package static func wire(_ append: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        append(&bytes)
        return bytes
    }

    package mutating func appendText(_ text: String) {
        appendString(text.utf8)
    }

    package mutating func appendBool(_ value: Bool) {
        append(value ? 1 : 0)
    }

    package mutating func appendOptional<Value>(_ value: Value?, _ append: (inout [UInt8], Value) -> Void) {
        appendBool(value != nil)
        if let value { append(&self, value) }
    }

    package mutating func appendList<Value>(_ elements: [Value], _ append: (inout [UInt8], Value) -> Void) {
        appendUInt32(UInt32(elements.count))
        for element in elements { append(&self, element) }
    }
}
