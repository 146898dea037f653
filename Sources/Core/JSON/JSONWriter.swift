/// Writes a JSON document (RFC 8259) on one line, with members in the order in which they are added.
///
/// In strings, characters that a terminal would interpret are escaped. The session holder uses this writer instead of
/// Foundation's encoder to save memory.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        enclose("{", "}", members)
    }

    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        enclose("[", "]", elements)
    }

    /// Writes the name of a member; the next call must write the member's value.
    package mutating func name(_ name: String) {
        value(quoted: name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func string(_ text: some StringProtocol) {
        value(quoted: text)
    }

    package mutating func integer(_ number: some FixedWidthInteger) {
        raw(String(number))
    }

    package mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    /// Writes seconds with six decimal places.
    package mutating func seconds(microseconds: Int64) {
        let fraction = String(microseconds % 1_000_000)
        raw("\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.utf8.count))\(fraction)")
    }

    // MARK: - Members (omitted if nil)

    package mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        self.name(name)
        string(text)
    }

    package mutating func member(_ name: String, _ number: (some FixedWidthInteger)?) {
        guard let number else { return }
        self.name(name)
        integer(number)
    }

    package mutating func member(_ name: String, _ flag: Bool?) {
        guard let flag else { return }
        self.name(name)
        bool(flag)
    }

    package mutating func member(_ name: String, _ texts: [String]) {
        self.name(name)
        array { for text in texts { $0.string(text) } }
    }

    // MARK: -

    private mutating func enclose(
        _ start: Unicode.Scalar,
        _ end: Unicode.Scalar,
        _ body: (inout JSONWriter) -> Void
    ) {
        separate()
        bytes.append(UInt8(ascii: start))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: end))
        needsComma = true
    }

    private mutating func raw(_ text: String) {
        separate()
        bytes += Array(text.utf8)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func value(quoted text: some StringProtocol) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: scalar.value)]
            case "\n": bytes += Array("\\n".utf8)
            case "\t": bytes += Array("\\t".utf8)
            // Unsafe characters never exceed U+FFFF.
            case _ where scalar.isUnsafeForTerminals: escape(scalar.value)
            default: bytes += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    private mutating func escape(_ value: UInt32) {
        let digits = Array("0123456789abcdef".utf8)
        bytes += Array("\\u".utf8) + [12, 8, 4, 0].map { digits[Int(value >> $0 & 15)] }
    }
}
