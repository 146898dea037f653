/// Writes a JSON document (RFC 8259), with members in the order in which they are added.
///
/// In strings, characters that a terminal would interpret are escaped.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// Whether each member and element is on a line of its own.
    private let isIndented: Bool
    /// The number of enclosing objects and arrays.
    private var depth = 0
    private var needsComma = false
    /// Whether the next value is that of a member whose name has been written.
    private var isNamed = false

    package init(isIndented: Bool = false) {
        self.isIndented = isIndented
    }

    /// Returns an object as a document.
    package static func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(members)
        return writer.bytes
    }

    /// Returns an array as a document.
    package static func array(_ elements: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.array(elements)
        return writer.bytes
    }

    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        enclose("{", "}", members)
    }

    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        enclose("[", "]", elements)
    }

    /// Writes a member whose value is an object.
    package mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
        self.name(name)
        object(members)
    }

    /// Writes a member whose value is an array.
    package mutating func array(_ name: String, _ elements: (inout JSONWriter) -> Void) {
        self.name(name)
        array(elements)
    }

    /// Writes a member whose value is JSON already.
    package mutating func member(_ name: String, json value: [UInt8]) {
        self.name(name)
        json(value)
    }

    /// Writes the name of a member; the next call must write the member's value.
    package mutating func name(_ name: String) {
        string(name)
        bytes.append(contentsOf: (isIndented ? " : " : ":").utf8)
        isNamed = true
    }

    /// Writes the name and value of a member, unless the value is absent.
    package mutating func member(_ name: String, _ value: some JSONValue) {
        guard !value.isAbsent else { return }
        self.name(name)
        value.write(to: &self)
    }

    package mutating func integer(_ number: some FixedWidthInteger) {
        raw(String(number))
    }

    /// Writes a finite number, without a fraction if it is an integer.
    package mutating func number(_ number: Double) {
        let text = number.description
        raw(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    package mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    /// Writes seconds with six decimal places.
    package mutating func seconds(microseconds: Int64) {
        let fraction = String(microseconds % 1_000_000)
        raw("\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.utf8.count))\(fraction)")
    }

    package mutating func string(_ text: some StringProtocol) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": escape(UInt8(truncatingIfNeeded: scalar.value))
            case "\u{8}": escape(UInt8(ascii: "b"))
            case "\u{c}": escape(UInt8(ascii: "f"))
            case "\n": escape(UInt8(ascii: "n"))
            case "\r": escape(UInt8(ascii: "r"))
            case "\t": escape(UInt8(ascii: "t"))
            case " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            // Unsafe characters never exceed U+FFFF.
            case _ where scalar.isUnsafeForTerminals: escape(scalar)
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a value that is JSON already, unchanged.
    package mutating func json(_ value: [UInt8]) {
        separate()
        bytes += value
    }

    // MARK: -

    private mutating func enclose(
        _ start: Unicode.Scalar,
        _ end: Unicode.Scalar,
        _ body: (inout JSONWriter) -> Void
    ) {
        separate()
        bytes.append(UInt8(ascii: start))
        if isIndented { bytes.append(UInt8(ascii: "\n")) }
        depth += 1
        needsComma = false
        body(&self)
        depth -= 1
        if isIndented {
            bytes.append(UInt8(ascii: "\n"))
            indent()
        }
        bytes.append(UInt8(ascii: end))
        needsComma = true
    }

    private mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    /// Prepares for a name, or for a value.
    private mutating func separate() {
        guard !isNamed else { return isNamed = false }
        if needsComma { bytes.append(contentsOf: (isIndented ? ",\n" : ",").utf8) }
        if isIndented { indent() }
        needsComma = true
    }

    private mutating func indent() {
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    private mutating func escape(_ letter: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(letter)
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        escape(UInt8(ascii: "u"))
        for shift in [12, 8, 4, 0] as [UInt32] {
            let digit = UInt8(truncatingIfNeeded: scalar.value >> shift & 15)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        }
    }
}
