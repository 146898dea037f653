/// An http or https URL (RFC 3986) without user and fragment.
package struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
    package let isSecure: Bool
    package let endpoint: Endpoint
    /// Begins with a slash.
    package var path: String
    /// The query with its question mark, or nothing; not shown, because it can contain a secret.
    package var query: String

    /// The message never contains the text, which could contain a password.
    ///
    /// - Throws: `usage`.
    package init(parsing text: String) throws(VTError) {
        func failure(_ problem: String) -> VTError {
            VTError(.usage, "invalid URL: \(problem)", hint: "use the form https://HOST[:PORT][/PATH]")
        }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"),
            ["http", "https"].contains(text[..<colon].lowercased())
        else { throw failure("it does not begin with http:// or https://") }
        isSecure = text[..<colon].lowercased() == "https"
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw failure("it contains a space, or a character that is not ASCII")
        }
        guard !text.contains("#") else { throw failure("it has a fragment") }
        let rest = text[colon...].dropFirst(3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw failure("it contains a user or a password") }
        let target = rest[authority.endIndex...]
        let path = target.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        query = String(target[path.endIndex...])
        let isBracketed = authority.first == "["
        let host = isBracketed ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        let afterHost = isBracketed ? authority[host.endIndex...].dropFirst() : authority[host.endIndex...]
        guard !host.isEmpty, !isBracketed || authority.contains("]") else { throw failure("it has no host") }
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
    package var hostField: String {
        let hasStandardPort = endpoint.port == (isSecure ? 443 : 80)
        let text = endpoint.description
        return hasStandardPort ? String(text.dropLast("\(endpoint.port)".count + 1)) : text
    }

    /// The URL without its query.
    package var description: String { "\(isSecure ? "https" : "http")://\(hostField)\(path)" }
}
