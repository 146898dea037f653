/// Makes names that nobody else makes.
package enum RandomIdentifier {
    /// Returns 16 random bytes as 32 hexadecimal digits; they come from getrandom(2).
    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        return String((0..<32).compactMap { _ in digits.randomElement(using: &generator) })
    }
}
