/// Generates random identifiers.
package enum RandomIdentifier {
    /// Returns 16 random bytes from getrandom(2) as 32 hexadecimal digits.
    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        return String((0..<32).compactMap { _ in digits.randomElement(using: &generator) })
    }
}
