/// Decides from the name of a variable, option or field whether its value is a secret.
enum SecretName {
    /// Words that, anywhere in the name, mark the value as a secret.
    private static let words: Set<String> = [
        "password", "passwords", "passwd", "passphrase", "passcode", "passwort", "pwd", "pass", "pw", "secret", "token",
        "credential", "credentials", "apikey", "psk", "pat", "jwt", "bearer", "cookie", "dsn", "auth",
    ]
    /// Possible endings of a longer word: `PGPASSWORD`, `sshpass`.
    private static let endings = [
        "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "secretkey", "privatekey",
        "authkey", "accountkey", "sharedkey", "_pwd", "sshpass", "dbpass", "userpass", "storepass", "keypass",
    ]
    /// Words that mark the value as a secret if "key" follows.
    private static let keys: Set<String> = [
        "api", "access", "secret", "private", "auth", "account", "encryption", "encrypt", "signing", "master", "shared",
        "service", "admin", "consumer", "app", "application", "storage", "deploy", "hmac", "webhook", "aes",
        "subscription", "license", "write", "integration", "authentication", "authorization", "rest", "session",
    ]
    /// The last words of names whose value only describes a secret: `token_type`, `PASSWORD_FILE`.
    private static let harmless: Set<String> = [
        "file", "path", "dir", "directory", "url", "uri", "endpoint", "host", "type", "name", "names", "id", "ids",
        "length", "len", "size", "count", "limit", "max", "min", "ttl", "expiry", "expires", "expiration", "timeout",
        "policy", "prompt", "command", "cmd", "stdin", "env", "field", "hint", "reset", "change", "changed", "store",
        "helper", "manager", "provider", "format", "version", "enabled", "disabled", "required", "algorithm", "alg",
        "method", "mode", "status", "age", "usage", "rotation", "issuer", "scope", "scopes", "label", "error", "errors",
        "index", "position", "range", "kind", "class", "ref", "strategy", "pattern", "regex", "user", "username",
        "domain",
        "retries", "attempts", "window", "budget", "rate", "used", "input", "output", "total", "authentication",
        "expired", "at", "in", "header", "prefix", "suffix", "column", "feature", "sock", "socket", "agent",
        "types", "data", "userdata", "callback", "func", "function", "handler", "mgr", "realm", "generator",
        "placement", "encoding", "duration", "policies",
    ]

    /// How likely the value of a name is to be a secret.
    enum Strength {
        /// A password, which can be an ordinary word.
        case password
        /// A token or key, which is usually random.
        case token
        /// A name that often means something else, so its value must contain a digit, or be long and quoted.
        case weak
    }

    /// Returns nil for a name whose value is not a secret.
    static func strength(_ name: [UInt8]) -> Strength? {
        // Padding, so that four bytes can also be read at the end of the name.
        let padded = LineText((name + [0x20, 0x20])[...])
        guard mayBeSecret(padded, 0..<name.count) else { return nil }
        guard name.count >= 2 else { return nil }
        let parts = parts(of: name)
        guard let last = parts.last, !harmless.contains(last), !parts.contains("nopasswd") else { return nil }
        var strength: Strength?
        for (index, part) in parts.enumerated() {
            let isKey = part == "key" && index > 0 && keys.contains(parts[index - 1])
            if part == "auth" || part == "cookie" || part == "dsn" || part == "pat" {
                if index == parts.count - 1 { strength = strength ?? .weak }
            } else if words.contains(part) || endings.contains(where: { part.hasSuffix($0) && part != "nopasswd" }) {
                strength =
                    part.hasPrefix("pass") || part.hasSuffix("pass") || part.hasSuffix("password")
                        || part.hasSuffix("passwd") || part.hasSuffix("pwd") || part == "pw"
                    ? .password : strength == .password ? .password : .token
            } else if isKey {
                strength = strength == .password ? .password : .token
            }
        }
        // `max_tokens` is a count, which is not a secret.
        if parts.contains("max") || parts.contains("min") || parts.contains("num") || parts.contains("no") {
            return nil
        }
        return strength
    }

    /// Whether a name contains the initial letters of one of the words; this test quickly rejects most names.
    static func mayBeSecret(_ text: LineText, _ name: Range<Int>) -> Bool {
        for index in name {
            switch text.wordStart(at: index) {
            case WordStart.pass, WordStart.secr, WordStart.toke, WordStart.cred, WordStart.bear, WordStart.cook,
                WordStart.auth:
                return true
            case let start:
                switch start & 0xFFFF_FF00 {
                case WordStart.pwd, WordStart.psk, WordStart.jwt, WordStart.pat, WordStart.dsn: return true
                case WordStart.key: if index >= name.lowerBound + 3 { return true }
                default: if start >> 16 == WordStart.pw { return true }
                }
            }
        }
        return false
    }

    /// The words of a name, in lower case, as in `db_Password`, `api-key` and `clientSecret`.
    private static func parts(of name: [UInt8]) -> [String] {
        var parts: [String] = []
        var part = ""
        var wasLower = false
        for byte in name {
            let isUpper = 0x41...0x5A ~= byte
            let isLetter = isUpper || 0x61...0x7A ~= byte || 0x30...0x39 ~= byte
            if !isLetter || isUpper && wasLower, !part.isEmpty {
                parts.append(part)
                part = ""
            }
            if isLetter { part.unicodeScalars.append(Unicode.Scalar(byte | (isUpper ? 0x20 : 0))) }
            wasLower = 0x61...0x7A ~= byte
        }
        if !part.isEmpty { parts.append(part) }
        // A numeric suffix distinguishes variables: `TOKEN_2`.
        while parts.count > 1, let last = parts.last, last.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { parts.removeLast() }
        return parts
    }
}
