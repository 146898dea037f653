import Core

/// A link that 'vt serve' or 'vt share' has printed: the address of the page, and the token in its fragment.
package struct SharedLink: Sendable {
    package let address: HTTPAddress
    package let token: Secret

    private static let mark = "#k="

    /// - Throws: `usage`; the message does not contain the text.
    package init(parsing text: Secret) throws(VTError) {
        let hint = "use the URL that 'vt serve' or 'vt share' has printed, with the part after '#'"
        let text = String(decoding: text.bytes, as: UTF8.self)
        guard let mark = text.firstRange(of: Self.mark) else {
            throw VTError(.usage, "the link has no token", hint: hint)
        }
        let token = text[mark.upperBound...]
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw VTError(.usage, "the token of the link is invalid", hint: hint)
        }
        do throws(VTError) {
            var address = try HTTPAddress(parsing: String(text[..<mark.lowerBound]))
            address.query = ""
            if !address.path.hasSuffix("/") { address.path += "/" }
            self.address = address
        } catch {
            throw VTError(.usage, "the link is invalid: \(error.message)", hint: hint)
        }
        self.token = try Secret(Array(token.utf8))
    }
}
