/// A server given on the command line: `[USER@]HOST[:PORT]`, or the equivalent `ssh://` URL.
package struct Destination: Hashable, Sendable {
    package var user: String?
    /// A name, an IPv4 address or an IPv6 address without brackets.
    package var host: String
    package var port: UInt16?

    /// The start of a URL.
    package static let scheme = "ssh://"

    package init(user: String? = nil, host: String, port: UInt16? = nil) {
        self.user = user
        self.host = host
        self.port = port
    }

    /// Parses `[USER@]HOST[:PORT]` or `ssh://[USER@]HOST[:PORT][/]`; an IPv6 address with a port must be in brackets.
    ///
    /// In a URL, the user name can be percent-encoded.
    ///
    /// - Throws: `usage` when a part is malformed.
    package init(parsing text: String) throws(VTError) {
        var rest = text[...]
        let isURL = rest.hasPrefix(Self.scheme)
        if isURL {
            rest = rest.dropFirst(Self.scheme.count)
            if rest.hasSuffix("/") { rest = rest.dropLast() }
        }
        var user: String?
        if let at = rest.lastIndex(of: "@") {
            let bytes = isURL ? PercentEncoding.decode(rest[..<at].utf8) : Array(rest[..<at].utf8)
            user = bytes.flatMap { String(validating: $0, as: UTF8.self) }
            rest = rest[rest.index(after: at)...]
            guard let name = user, Self.isUser(name) else { throw VTError(.usage, "invalid user name in '\(text)'") }
        }
        let (host, port) = try Self.hostAndPort(rest, in: text)
        guard Self.isHost(host) else { throw VTError(.usage, "invalid host name in '\(text)'") }
        self.init(user: user, host: host, port: port)
    }

    /// The destination as `init(parsing:)` accepts it: `USER@HOST[:PORT]`, or `ssh://HOST[:PORT]` without a user.
    package var text: String {
        let place = port.map { Endpoint(host: host, port: $0).description } ?? host
        return user.map { "\($0)@\(place)" } ?? Self.scheme + place
    }

    /// Returns whether the text is a valid user name: 1–255 bytes without control characters, not starting with `-`;
    /// spaces are valid only between other characters, and not before `-` (`valid_ruser` in OpenSSH's ssh.c).
    package static func isUser(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && !text.hasPrefix("-") && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
            && !text.hasPrefix(" ") && !text.hasSuffix(" ") && !text.contains(" -")
    }

    /// Returns whether the text is a valid host name or address: 1–253 bytes of letters, digits, `. _ - : %` or
    /// non-ASCII characters, not starting with `-`.
    ///
    /// The limit is the length of the longest DNS name (RFC 1035 §3.1); `:` and `%` are for IPv6 addresses
    /// (RFC 4007 §11); some existing names contain `_`.
    package static func isHost(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count) && !text.hasPrefix("-")
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", ":", "%": true
                default: scalar.value > 0x9f && !scalar.properties.isWhitespace
                }
            }
    }

    private static func hostAndPort(_ rest: Substring, in text: String) throws(VTError) -> (String, UInt16?) {
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { throw VTError(.usage, "missing ']' in '\(text)'") }
            let host = String(rest[rest.index(after: rest.startIndex)..<end])
            let tail = rest[rest.index(after: end)...]
            guard !tail.isEmpty else { return (host, nil) }
            guard tail.hasPrefix(":") else { throw VTError(.usage, "invalid port in '\(text)'") }
            return (host, try port(tail.dropFirst(), in: text))
        }
        // More than one colon without brackets is an IPv6 address without a port.
        guard rest.count(where: { $0 == ":" }) == 1, let colon = rest.firstIndex(of: ":") else {
            return (String(rest), nil)
        }
        return (String(rest[..<colon]), try port(rest[rest.index(after: colon)...], in: text))
    }

    private static func port(_ digits: Substring, in text: String) throws(VTError) -> UInt16 {
        guard let port = parsePort(digits) else {
            throw VTError(.usage, "invalid port in '\(text)'", hint: "a port is a number from 1 to 65535")
        }
        return port
    }

    /// Returns the port, or nil unless the text is a number from 1 to 65535.
    package static func parsePort(_ digits: some StringProtocol) -> UInt16? {
        guard let port: UInt16 = NumberText.whole(digits), port > 0 else { return nil }
        return port
    }

    /// Parses a port that is given as a separate argument.
    ///
    /// - Throws: `usage` when the text is not a valid port.
    package static func port(_ text: String) throws(VTError) -> UInt16 {
        guard let port = parsePort(text) else {
            throw VTError(.usage, "invalid port '\(text)'", hint: "a port is a number from 1 to 65535")
        }
        return port
    }

    /// Checks a user name that is given as a separate argument.
    ///
    /// - Throws: `usage` when the text is not a valid user name.
    package static func user(_ text: String) throws(VTError) -> String {
        guard isUser(text) else { throw VTError(.usage, "invalid user name '\(text)'") }
        return text
    }
}
