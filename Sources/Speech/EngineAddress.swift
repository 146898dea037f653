import Core

/// Where speech becomes text: `http://HOST/PATH`, `https://HOST/PATH` or `command:WORDS`.
package enum EngineAddress: Hashable, Sendable {
    case server(ServerAddress)
    case program(ProgramTemplate)

    private static let programScheme = "command:"

    /// - Throws: `usage`.
    package init(parsing text: String) throws(VTError) {
        if text.hasPrefix(Self.programScheme) {
            self = .program(try ProgramTemplate(parsing: String(text.dropFirst(Self.programScheme.count))))
        } else {
            self = .server(try ServerAddress(parsing: text))
        }
    }

    /// The address without a server's query, which can contain a secret.
    package var text: String {
        switch self {
        case .server(let server): server.description
        case .program(let program): Self.programScheme + program.text
        }
    }
}

/// An http or https URL (RFC 3986) without user and fragment.
package struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    package let isSecure: Bool
    package let endpoint: Endpoint
    package let path: String
    /// The query with its question mark; not shown.
    let query: String

    /// The message never contains the text, which could contain a password.
    ///
    /// - Throws: `usage`.
    init(parsing text: String) throws(VTError) {
        let forms = "use http://HOST[:PORT]/PATH, https://HOST[:PORT]/PATH or 'command:PROGRAM ...'"
        func failure(_ problem: String) -> VTError { VTError(.usage, "invalid engine: \(problem)", hint: forms) }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"),
            ["http", "https"].contains(text[..<colon].lowercased())
        else { throw failure("it is neither a URL nor a command") }
        isSecure = text[..<colon].lowercased() == "https"
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw failure("the URL contains a space, or a character that is not ASCII")
        }
        guard !text.contains("#") else { throw failure("the URL has a fragment") }
        let rest = text[colon...].dropFirst(3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw failure("the URL contains a user; use --token-file for a token") }
        let target = rest[authority.endIndex...]
        let path = target.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        query = String(target[path.endIndex...])
        let isBracketed = authority.first == "["
        let host = isBracketed ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        let afterHost = isBracketed ? authority[host.endIndex...].dropFirst() : authority[host.endIndex...]
        guard !host.isEmpty, !isBracketed || authority.contains("]") else { throw failure("the URL has no host") }
        guard !isBracketed || host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }),
            isBracketed || host.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) })
        else { throw failure("the host is invalid") }
        var port: UInt16 = isSecure ? 443 : 80
        if !afterHost.isEmpty {
            guard afterHost.first == ":", let number: UInt16 = NumberText.whole(String(afterHost.dropFirst())),
                number > 0
            else { throw failure("the port is invalid") }
            port = number
        }
        endpoint = Endpoint(host: String(host), port: port)
    }

    /// Whether nothing that is sent leaves this machine.
    package var isLoopback: Bool {
        let parts = endpoint.host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return isIPv4 || endpoint.host == "::1" || endpoint.host.lowercased() == "localhost"
    }

    /// The value of the field `Host` (RFC 9110 §7.2).
    var hostField: String {
        let hasStandardPort = endpoint.port == (isSecure ? 443 : 80)
        let text = endpoint.description
        return hasStandardPort ? String(text.dropLast("\(endpoint.port)".count + 1)) : text
    }

    package var description: String { "\(isSecure ? "https" : "http")://\(hostField)\(path)" }
}

/// The words of a program, with placeholders for what it is given.
package struct ProgramTemplate: Hashable, Sendable {
    package enum Placeholder: String, CaseIterable, Sendable {
        /// The path of the audio.
        case file = "{file}"
        /// The path of a grammar of the phrases.
        case grammar = "{grammar}"
        /// The code of the language.
        case language = "{language}"
    }

    /// The command as the user typed it.
    package let text: String
    private let words: [String]

    /// - Throws: `usage` when the text is invalid, or has no program or no `{file}`.
    init(parsing text: String) throws(VTError) {
        self.text = text
        words = try ShellWords(splitting: text).words
        guard let program = words.first, !program.isEmpty, !program.contains("{") else {
            throw VTError(.usage, "invalid engine: no program in '\(text)'")
        }
        guard uses(.file) else {
            throw VTError(.usage, "invalid engine: '\(text)' does not contain {file}")
        }
    }

    /// The name of the program.
    var program: String { words[0] }

    package func uses(_ placeholder: Placeholder) -> Bool {
        words.contains { $0.contains(placeholder.rawValue) }
    }

    /// Returns the arguments, starting with the program; what replaces a placeholder is not examined again.
    func arguments(_ values: [Placeholder: String]) -> [ByteString] {
        words.map { word in
            var (result, rest) = ("", word[...])
            while let brace = rest.firstIndex(of: "{") {
                result += rest[..<brace]
                rest = rest[brace...]
                if let (placeholder, value) = values.first(where: { rest.hasPrefix($0.key.rawValue) }) {
                    result += value
                    rest = rest.dropFirst(placeholder.rawValue.count)
                } else {
                    result.append(rest.removeFirst())
                }
            }
            return ByteString(result + rest)
        }
    }
}
