/// A message without the names that it quotes and the fingerprints of keys, in which messages about different targets
/// differ.
struct MessagePattern: Hashable {
    let text: String

    init(_ message: String) {
        var text = ""
        var rest = message[...]
        var previous: Character = " "
        while let character = rest.first {
            if character == "'", previous == " " || previous == "(", let end = Self.quoteEnd(rest.dropFirst()) {
                text += "'...'"
                rest = rest[end...].dropFirst()
                previous = "'"
            } else if previous == " ", rest.hasPrefix(Self.fingerprint) {
                text += "\(Self.fingerprint)..."
                rest = rest.drop { $0 != " " }
                previous = "."
            } else {
                text.append(character)
                previous = character
                rest = rest.dropFirst()
            }
        }
        self.text = text
    }

    private static let fingerprint = "SHA256:"

    /// The position of the quote that ends a quotation: one that no letter follows, unlike in `server's`.
    private static func quoteEnd(_ text: Substring) -> Substring.Index? {
        text.indices.first { index in
            text[index] == "'" && !(text[index...].dropFirst().first?.isLetter ?? false)
        }
    }

    /// The text of messages with the same pattern: what they all say if they are equal, otherwise the pattern.
    static func common(to messages: [String]) -> String {
        guard let first = messages.first else { return "" }
        return messages.allSatisfy { $0 == first } ? first : MessagePattern(first).text
    }
}
