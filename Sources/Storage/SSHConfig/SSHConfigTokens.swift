import Core
import POSIX

/// Expands the `%` tokens of ssh_config(5).
struct SSHConfigTokens {
    private let values: [Character: String]

    init(_ values: [Character: String]) {
        self.values = values
    }

    /// Returns nil if the text contains a token without a value.
    func expand(_ text: String) -> String? {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                result.append(character)
                continue
            }
            guard let token = rest.popFirst(), let value = token == "%" ? "%" : values[token] else { return nil }
            result += value
        }
        return result
    }

    /// Expands `${NAME}`; nil if a variable is unset, or a brace is not closed.
    static func expandVariables(_ text: String, _ environment: Environment) -> String? {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "$", rest.first == "{" else {
                result.append(character)
                continue
            }
            guard let end = rest.firstIndex(of: "}") else { return nil }
            guard let value = environment[String(rest[..<end].dropFirst())] else { return nil }
            result += value
            rest = rest[rest.index(after: end)...]
        }
        return result
    }
}
