/// Parses numbers as users write them: digits without a sign, an exponent or spaces.
package enum NumberText {
    /// Returns a whole number, or nil if the text is not one or the number does not fit the type.
    package static func whole<Number: FixedWidthInteger>(_ text: some StringProtocol) -> Number? {
        text.utf8.allSatisfy(isDigit) ? Number(text, radix: 10) : nil
    }

    /// Returns a decimal number with an optional fraction, or nil if the text is not one.
    package static func decimal(_ text: String) -> Double? {
        text.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") } ? Double(text) : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
