/// Writes values to bytes, or reads them from bytes, so that each value declares its format once (`WireValue`).
///
/// The formats are combinations of the data types of RFC 4251 §5. Generic functions are inlinable for the reason given in
/// WireReader.swift.
package struct WireCoder {
    /// Bytes to be read are incomplete or malformed.
    package struct Malformed: Error {
        package init() {}
    }

    @usableFromInline var written: [UInt8] = []
    /// What is to be read.
    @usableFromInline var reader: WireReader
    @usableFromInline let isReading: Bool

    @usableFromInline init() {
        reader = WireReader([])
        isReading = false
    }

    @usableFromInline init(reading reader: WireReader) {
        self.reader = reader
        isReading = true
    }

    /// Returns what `code` writes.
    package static func bytes(_ code: (inout WireCoder) throws(Malformed) -> Void) -> [UInt8] {
        var wire = WireCoder()
        guard (try? code(&wire)) != nil else { preconditionFailure("a value was read while another one was written") }
        return wire.written
    }

    /// Returns what `code` reads from the bytes; nil if they are malformed, or more than it reads.
    @inlinable
    package static func value<Value>(
        from bytes: ArraySlice<UInt8>,
        _ code: (inout WireCoder) throws(Malformed) -> Value
    ) -> Value? {
        var wire = WireCoder(reading: WireReader(bytes))
        guard let value = try? code(&wire), wire.reader.isAtEnd else { return nil }
        return value
    }

    // MARK: - Values

    /// Writes a value or, if it is nil, reads and returns one.
    @inlinable
    package mutating func code<Value: WireValue>(_ value: Value?) throws(Malformed) -> Value {
        try Value.code(value, &self)
    }

    /// A value preceded by a byte that indicates whether it is present.
    @inlinable
    package mutating func optional<Value: WireValue>(_ value: Value?) throws(Malformed) -> Value? {
        let isPresent = try code(isReading ? nil : value != nil)
        return isPresent ? try code(value) : nil
    }

    /// A string of bytes: its length and the bytes.
    package mutating func string(_ bytes: [UInt8]?) throws(Malformed) -> [UInt8] {
        try code(bytes, { $0.appendString($1) }, { $0.string().map { Array($0) } })
    }

    /// A value in the format of another one, which `make` turns back into the value; nil is malformed.
    @inlinable
    package mutating func code<Value, Format: WireValue>(
        _ value: Value?,
        as format: (Value) -> Format,
        _ make: (Format) -> Value?
    ) throws(Malformed) -> Value {
        if let value {
            _ = try code(format(value))
            return value
        }
        guard let value = make(try code(Format?.none)) else { throw Malformed() }
        return value
    }

    fileprivate mutating func code<Value>(
        _ value: Value?,
        _ write: (inout [UInt8], Value) -> Void,
        _ read: (inout WireReader) -> Value?
    ) throws(Malformed) -> Value {
        guard let value = isReading ? read(&reader) : value else { throw Malformed() }
        if !isReading { write(&written, value) }
        return value
    }
}

/// A value with a format on the wire.
package protocol WireValue: Sendable {
    /// Writes a value or, if it is nil, reads and returns one.
    static func code(_ value: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self
}

extension WireValue {
    @inlinable
    package var wireBytes: [UInt8] {
        WireCoder.bytes { wire throws(WireCoder.Malformed) in _ = try wire.code(self) }
    }

    /// Reads a value that takes all of the bytes; nil if they are malformed.
    @inlinable
    package init?(wireBytes bytes: ArraySlice<UInt8>) {
        let value = WireCoder.value(from: bytes) { wire throws(WireCoder.Malformed) in try wire.code(Self?.none) }
        guard let value else { return nil }
        self = value
    }
}

/// A number as in RFC 4251 §5, big-endian.
extension WireValue where Self: FixedWidthInteger {
    package static func code(_ value: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        try wire.code(value, { $0.appendBigEndian($1) }, { $0.number() })
    }
}

extension UInt8: WireValue {}
extension UInt16: WireValue {}
extension UInt32: WireValue {}
extension UInt64: WireValue {}
extension Int32: WireValue {}
extension Int64: WireValue {}

/// A byte, 0 or 1.
extension Bool: WireValue {
    package static func code(_ value: Bool?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Bool {
        try wire.code(value, as: { $0 ? UInt8(1) : 0 }, { $0 != 0 })
    }
}

/// A string in UTF-8.
extension String: WireValue {
    package static func code(_ value: String?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> String {
        try wire.code(value, { $0.appendString($1.utf8) }, { $0.text() })
    }
}

extension ByteString: WireValue {
    package static func code(_ value: ByteString?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> ByteString {
        ByteString(try wire.string(value?.bytes))
    }
}

/// The number of milliseconds.
extension Duration: WireValue {
    package static func code(_ value: Duration?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Duration {
        try wire.code(
            value,
            as: { UInt64(clamping: $0.wholeMilliseconds) },
            { .milliseconds(Int64(clamping: $0)) }
        )
    }
}

/// The number of elements and the elements.
extension Array: WireValue where Element: WireValue {
    package static func code(_ value: [Element]?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> [Element] {
        let count = try wire.code(value.map { UInt32($0.count) })
        guard value == nil else {
            for element in value ?? [] { _ = try wire.code(element) }
            return value ?? []
        }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try wire.code(Element?.none)) }
        return elements
    }
}

/// The raw value.
extension WireValue where Self: RawRepresentable, RawValue: WireValue {
    @inlinable
    package static func code(_ value: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        try wire.code(value, as: \.rawValue, Self.init(rawValue:))
    }
}
