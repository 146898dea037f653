/// Expands the `%` tokens and variables in values of ssh_config(5).
package struct SSHConfigTokens: Sendable {
    private let values: [Character: String]

    package init(_ values: [Character: String]) {
        self.values = values
    }

    /// Returns nil if the text contains a token without a value.
    package func expand(_ text: String) -> String? {
        Self.expand(text) { values[$0] }
    }

    /// Returns the text with each token replaced by its value; nil if a token has none.
    package static func expand<E>(
        _ text: String,
        _ value: (Character) throws(E) -> String?
    ) throws(E) -> String? {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                result.append(character)
                continue
            }
            guard let token = rest.popFirst(), let value = token == "%" ? "%" : try value(token) else { return nil }
            result += value
        }
        return result
    }

    /// Expands `${NAME}` with the values that `variable` returns; nil if a variable is unset, or a brace is not closed.
    package static func expandVariables(_ text: String, _ variable: (String) -> String?) -> String? {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "$", rest.first == "{" else {
                result.append(character)
                continue
            }
            guard let end = rest.firstIndex(of: "}") else { return nil }
            guard let value = variable(String(rest[..<end].dropFirst())) else { return nil }
            result += value
            rest = rest[rest.index(after: end)...]
        }
        return result
    }
}
