/// Program arguments: `--token …`, `curl -u user:…`, `mysql -p…`, `setenv NAME …`; also password files.
extension SecretScanner {
    /// Examines a long or single-letter option; `index` is the index of its first hyphen.
    func option(_ text: LineText, at index: Int, _ found: Found) {
        guard index == 0 || text.isBlank(index - 1) || "\"'`$([,".utf8.contains(text[index - 1]) else { return }
        if text.has("-pass", at: index) { return passOption(text, at: index, found) }
        if text[index + 1] == UInt8(ascii: "-") {
            longOption(text, at: index, found)
        } else {
            shortOption(text, at: index, found)
        }
    }

    /// Examines `-passin pass:…`, `-passout pass:…` or `-pass pass:…` (openssl-passphrase-options(1)).
    private func passOption(_ text: LineText, at index: Int, _ found: Found) {
        var start = text.skipBlanks(text.wordEnd(index))
        if start < text.count, text.isQuote(start) { start += 1 }
        if text.has("pass:", at: start) { checkValue(text, at: start + 5, .attached, .password, found) }
    }

    private func longOption(_ text: LineText, at index: Int, _ found: Found) {
        var end = index + 2
        while end < text.count, TokenAlphabet.base64URL.contains(text[end]) { end += 1 }
        // An option with `=` is an assignment, unless the value has a user before the password.
        guard end < text.count, text.isBlank(end) || text[end] == UInt8(ascii: "=") else {
            // The option and its value can be strings in a list: `["--token", "…"]`.
            guard end + 1 < text.count, text.isQuote(end), let start = listed(text, end) else { return }
            return optionValue(text, index + 2..<end, start, found)
        }
        optionValue(text, index + 2..<end, text[end] == UInt8(ascii: "=") ? end + 1 : text.skipBlanks(end), found)
    }

    /// Returns the start of the next string in a list, after the closing quote of the previous one.
    private func listed(_ text: LineText, _ quote: Int) -> Int? {
        var start = text.skipBlanks(quote + 1)
        guard start < text.count, text[start] == UInt8(ascii: ",") else { return nil }
        start = text.skipBlanks(start + 1)
        return start < text.count && text.isQuote(start) ? start : nil
    }

    private func optionValue(_ text: LineText, _ name: Range<Int>, _ start: Int, _ found: Found) {
        if text.has("user", at: name.lowerBound), name.count == 4 { return userAndPassword(text, at: start, found) }
        if text.has("proxy-user", at: name.lowerBound) { return userAndPassword(text, at: start, found) }
        guard start > 0, text[start - 1] != UInt8(ascii: "="), start < text.count, text[start] != UInt8(ascii: "-"),
            let strength = SecretName.strength(text.slice(name)), let value = text.value(at: start)
        else { return }
        let secret = SecretValue(text: text, range: value.content, isQuoted: value.isQuoted)
        guard secret.mayBeSecret(value.isQuoted ? .attached : .apart, strength == .weak ? .weak : .password),
            !isSentence(text, value)
        else { return }
        // A program's help contains placeholders, as in `--token TOKEN`, and descriptions.
        let content = text.slice(value.content)
        let isName = content.allSatisfy { 0x41...0x5A ~= $0 || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
        let isExplained = text.has("  ", at: value.range.upperBound) || start - name.upperBound > 1
        guard !isName, !isExplained || secret.isRandom else { return }
        found(value.range, strength == .password ? "password" : "secret", 0)
    }

    /// Whether the next word shows that an option is only mentioned: `similar to --http-password pertain here`.
    private func isSentence(_ text: LineText, _ value: LineText.Value) -> Bool {
        let start = text.skipBlanks(value.range.upperBound)
        guard !value.isQuoted, start < text.count, value.content.allSatisfy({ 0x61...0x7A ~= text[$0] }) else {
            return false
        }
        var end = start
        while end < text.count, TokenAlphabet.lower.contains(text[end]) { end += 1 }
        return end > start && SecretValue(text: text, range: start..<end, isQuoted: false).isWord
    }

    /// Programs with a single-letter password option; with `isAttached`, no blank may precede the password.
    private struct ShortOption {
        let letter: UInt8
        let programs: [StaticString]
        let isAttached: Bool
    }

    private static let shortOptions = [
        ShortOption(
            letter: UInt8(ascii: "p"),
            programs: ["mysql", "mariadb", "mysqldump", "mysqladmin", "7z", "7za", "xtrabackup"],
            isAttached: true
        ),
        ShortOption(
            letter: UInt8(ascii: "p"),
            programs: [
                "sshpass", "docker login", "podman login", "mongo", "mongosh", "mongodump", "az login", "buildah",
            ],
            isAttached: false
        ),
        ShortOption(
            letter: UInt8(ascii: "P"),
            programs: ["zip", "unzip", "sqlcmd", "ipmitool", "bcp", "ssh-keygen"],
            isAttached: false
        ),
        ShortOption(letter: UInt8(ascii: "N"), programs: ["ssh-keygen"], isAttached: false),
        ShortOption(letter: UInt8(ascii: "a"), programs: ["redis-cli", "memcli"], isAttached: false),
        ShortOption(letter: UInt8(ascii: "w"), programs: ["ldapsearch", "ldapmodify", "ldapadd"], isAttached: false),
    ]

    private func shortOption(_ text: LineText, at index: Int, _ found: Found) {
        let letter = text[index + 1]
        let start = text.skipBlanks(index + 2)
        // In brackets, an option is part of a synopsis: `ssh-keygen [-N new_passphrase]`.
        guard start < text.count, index == 0 || text[index - 1] != UInt8(ascii: "[") else { return }
        let line = max(0, index - 256)..<index
        if letter == UInt8(ascii: "u") || letter == UInt8(ascii: "b") {
            guard hasProgram(text, "curl", in: line) else { return }
            return letter == UInt8(ascii: "u")
                ? userAndPassword(text, at: start, found) : cookie(text, at: start, found)
        }
        for option in Self.shortOptions where option.letter == letter {
            guard !option.isAttached || start == index + 2, text[start] != UInt8(ascii: "-"),
                option.programs.contains(where: { hasProgram(text, $0, in: line) }), let value = text.value(at: start)
            else { continue }
            let secret = SecretValue(text: text, range: value.content, isQuoted: value.isQuoted)
            // A single letter is a placeholder: `mysql -pS` in a manual.
            guard value.content.count > 1, secret.mayBeSecret(.certain, .password) else { continue }
            return found(value.range, "password", 0)
        }
    }

    private func hasProgram(_ text: LineText, _ name: StaticString, in range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index + name.utf8CodeUnitCount <= range.upperBound {
            let end = index + name.utf8CodeUnitCount
            if text.has(name, at: index), index == 0 || !text.isName(index - 1) || text[index - 1] == UInt8(ascii: "."),
                end >= text.count || text.isBlank(end) || text.isQuote(end)
            {
                return true
            }
            index += 1
        }
        return false
    }

    /// Examines the argument of an option such as `-u user:password`.
    private func userAndPassword(_ text: LineText, at start: Int, _ found: Found) {
        guard let value = text.value(at: start),
            hasProgram(text, "curl", in: max(0, start - 512)..<start)
                || hasProgram(text, "http", in: max(0, start - 512)..<start)
                || hasProgram(text, "wget", in: max(0, start - 512)..<start),
            let colon = value.content.first(where: { text[$0] == UInt8(ascii: ":") }),
            colon + 2 < value.content.upperBound
        else { return }
        let password = SecretValue(text: text, range: colon + 1..<value.content.upperBound, isQuoted: false)
        if !password.isAddressPlaceholder { found(password.range, "password", 0) }
    }

    private func cookie(_ text: LineText, at start: Int, _ found: Found) {
        guard let value = text.value(at: start),
            let equals = value.content.first(where: { text[$0] == UInt8(ascii: "=") }),
            equals + 3 < value.content.upperBound
        else { return }
        found(equals + 1..<value.content.upperBound, "cookie", 0)
    }

    // MARK: - Keywords

    /// Examines the possible start of a keyword that precedes a secret.
    func word(_ text: LineText, at index: Int, _ found: Found) {
        switch text.wordStart(at: index) {
        case WordStart.bear:
            guard text.has("bearer ", at: index), isStart(text, index) else { return }
            let start = text.skipBlanks(index + 7)
            var end = start
            while end < text.count, isBearer(text[end]) { end += 1 }
            let value = SecretValue(text: text, range: start..<end, isQuoted: false)
            if end - start >= 8, value.isRandom || end - start >= 24 { found(start..<end, "bearer-token", 0) }
        case WordStart.iden:
            guard text.has("identified ", at: index) else { return }
            var start = index + 11
            while start < min(text.count, index + 80), !text.has("by ", at: start) { start += 1 }
            start = text.skipBlanks(start + 3)
            guard start < text.count, text.has("by", in: index + 11..<start) else { return }
            if text.has("password ", at: start) { start = text.skipBlanks(start + 9) }
            if start < text.count, text.isQuote(start) { checkValue(text, at: start, .certain, .password, found) }
        case WordStart.sete where text.has("setenv ", at: index), WordStart.set where text.has("set -", at: index):
            var start = text.skipBlanks(text.wordEnd(index))
            if start < text.count, text[start] == UInt8(ascii: "-") { start = text.skipBlanks(text.wordEnd(start)) }
            let end = text.wordEnd(start)
            let value = text.skipBlanks(end)
            guard value < text.count, let strength = SecretName.strength(text.slice(start..<end)) else { return }
            checkValue(text, at: value, .attached, strength, found)
        case WordStart.pass, WordStart.toke, WordStart.secr: following(text, at: index, found)
        case let start where start & 0xFFFF_FF00 == WordStart.key: following(text, at: index, found)
        default: break
        }
    }

    private func isStart(_ text: LineText, _ index: Int) -> Bool {
        index == 0 || !TokenAlphabet.word.contains(text[index - 1])
    }

    /// Whether a byte can be part of a bearer token (RFC 6750 §2.1).
    private func isBearer(_ byte: UInt8) -> Bool {
        TokenAlphabet.base64.contains(byte) || TokenAlphabet.dotted.contains(byte) || byte == UInt8(ascii: "~")
    }

    /// Examines a name whose value follows a blank or a bracket: `npm config set _authToken …`, `PASSWORD '…'`,
    /// `define('DB_PASSWORD', '…')`.
    private func following(_ text: LineText, at index: Int, _ found: Found) {
        let words: [StaticString] = ["password", "passwd", "passphrase", "token", "secret", "key"]
        guard let keyword = words.first(where: { text.has($0, at: index) }) else { return }
        var end = index + keyword.utf8CodeUnitCount
        while end < text.count, TokenAlphabet.word.contains(text[end]) { end += 1 }
        guard end < text.count, text.isBlank(end) || text.isQuote(end) || text[end] == UInt8(ascii: "(") else { return }
        var start = index
        while start > 0, index - start < 64, text.isName(start - 1) { start -= 1 }
        guard start == 0 || text[start - 1] != UInt8(ascii: "-") || index - start < 2,
            let strength = SecretName.strength(text.slice(start..<end))
        else { return }
        var next = end
        if text.isQuote(end) {
            guard let listed = listed(text, end) else { return }
            next = listed
        } else {
            next = text.skipBlanks(text[end] == UInt8(ascii: "(") ? end + 1 : end)
        }
        guard next < text.count, let value = text.value(at: next) else { return }
        let secret = SecretValue(text: text, range: value.content, isQuoted: value.isQuoted)
        let isWord = !text.isQuote(end)
        let isGiven =
            isWord
            ? isSQL(text, value.content, word: index, name: start..<end, strength)
                || end - start >= 8 && end - start > keyword.utf8CodeUnitCount && secret.isRandom
                    && value.content.count >= 12
            : isListed(text, secret, name: start..<end, strength)
        guard isGiven || strength == .password && isNetrc(text, before: start), secret.mayBeSecret(.attached, strength)
        else { return }
        found(value.range, strength == .password ? "password" : "secret", 0)
    }

    /// Whether a value has the form of an SQL value: `PASSWORD 'S'`, `PASSWORD('S')`.
    private func isSQL(
        _ text: LineText,
        _ value: Range<Int>,
        word: Int,
        name: Range<Int>,
        _ strength: SecretName.Strength
    ) -> Bool {
        strength == .password && text[value.lowerBound - 1] == UInt8(ascii: "'")
            && (text[name.upperBound] != UInt8(ascii: "(") || name.lowerBound == word)
            && !value.contains { text.isBlank($0) || text[$0] == UInt8(ascii: ":") }
    }

    /// Whether the second of two strings in a list is the value of the first, unlike in `('password', 'scope')`.
    private func isListed(
        _ text: LineText,
        _ value: SecretValue,
        name: Range<Int>,
        _ strength: SecretName.Strength
    ) -> Bool {
        guard value.range.count >= 6, !"-_.".utf8.contains(text[value.range.upperBound - 1]) else { return false }
        return isDefinition(text, before: name.lowerBound)
            || value.isMixed
                && (value.isRandom && value.range.count >= 12 || strength == .password && isOneCase(text, name))
    }

    private func isOneCase(_ text: LineText, _ name: Range<Int>) -> Bool {
        !name.contains { 0x41...0x5A ~= text[$0] } || !name.contains { 0x61...0x7A ~= text[$0] }
    }

    /// Whether a name is the first argument of `define`, `putenv` or `setenv`.
    private func isDefinition(_ text: LineText, before name: Int) -> Bool {
        guard name >= 8, text[name - 2] == UInt8(ascii: "(") else { return false }
        return ["define", "putenv", "setenv"].contains { text.has($0, at: name - 8) }
    }

    /// Whether a password belongs to a `machine` in a .netrc; only the 512 bytes before the password are examined.
    private func isNetrc(_ text: LineText, before index: Int) -> Bool {
        let line = max(0, index - 512)..<index
        return text.has("login ", in: line) && text.has("machine ", in: line)
    }

    // MARK: - Files

    /// Examines a line of .pgpass: `host:port:database:user:password` (PostgreSQL, The Password File).
    func passwordFile(_ text: LineText, _ found: Found) {
        guard text.count < 512 else { return }
        var colons: [Int] = []
        for index in 0..<text.count {
            if text.isBlank(index) { return }
            if text[index] == UInt8(ascii: ":"), index == 0 || text[index - 1] != UInt8(ascii: "\\") {
                colons.append(index)
            }
        }
        guard colons.count >= 4, colons[0] > 0, colons[3] + 1 < text.count else { return }
        let port = colons[0] + 1..<colons[1]
        let isPort =
            port.count == 1 && text[port.lowerBound] == UInt8(ascii: "*")
            || (4...5).contains(port.count) && port.allSatisfy { 0x30...0x39 ~= text[$0] }
        guard isPort, colons[2] > colons[1] + 1, colons[3] > colons[2] + 1,
            (0..<colons[0]).allSatisfy({ TokenAlphabet.dotted.contains(text[$0]) || text[$0] == UInt8(ascii: "*") })
        else { return }
        let value = SecretValue(text: text, range: colons[3] + 1..<text.count, isQuoted: false)
        if value.mayBeSecret(.certain, .password) { found(value.range, "password", 0) }
    }

    // MARK: - Values on the next line

    /// Returns the context that a line, after one with another context, provides for the next one.
    func former(of text: LineText, after former: Former) -> Former {
        var start = text.skipBlanks(0)
        if case .block(let indent) = former, start > indent { return former }
        guard text.count < 256 else { return .nothing }
        if isBlockName(text) { return .block(indent: start) }
        if text.has("login ", at: start) || text.has("machine ", at: start) { return .login }
        if start < text.count, text[start] == UInt8(ascii: "-") { start = text.skipBlanks(start + 1) }
        if start < text.count, text.isQuote(start) { start += 1 }
        let isName = text.wordStart(at: start) == WordStart.name
        guard isName || text.has("<key>", at: start) else { return .nothing }
        start += isName ? 4 : 5
        while start < text.count, !text.isName(start) { start += 1 }
        var end = start
        while end < text.count, text.isName(end) { end += 1 }
        return SecretName.strength(text.slice(start..<end)) == nil ? .nothing : .name
    }

    /// Whether a line consists of the name of a secret and the indicator of a block: `password: |-` (YAML 1.2, §8.1).
    private func isBlockName(_ text: LineText) -> Bool {
        var end = text.count
        while end > 0, text.isBlank(end - 1) || "+-".utf8.contains(text[end - 1]) { end -= 1 }
        guard end > 4, "|>".utf8.contains(text[end - 1]), text.has(": ", at: end - 3) else { return false }
        end -= text.isQuote(end - 4) ? 4 : 3
        var start = end
        while start > 0, text.isName(start - 1) { start -= 1 }
        return SecretName.strength(text.slice(start..<end)) != nil
    }

    /// Searches for the value that belongs to the previous line.
    func following(_ former: Former, _ text: LineText, _ found: Found) {
        let start = text.skipBlanks(0)
        switch former {
        case .nothing: return
        case .block(let indent):
            guard start > indent, start < text.count else { return }
            let value = SecretValue(text: text, range: start..<text.count, isQuoted: true)
            if value.mayBeSecret(.attached, .password) { found(value.range, "secret", 0) }
        case .login:
            guard text.has("password ", at: start) else { return }
            let value = text.skipBlanks(start + 9)
            let word = SecretValue(text: text, range: value..<text.count, isQuoted: false)
            if text.wordEnd(value) == text.count, value < text.count, !word.isAddressPlaceholder {
                checkValue(text, at: value, .certain, .password, found)
            }
        case .name:
            if text.has("<string>", at: start) {
                var end = start + 8
                while end < text.count, text[end] != UInt8(ascii: "<") { end += 1 }
                if end > start + 11 { found(start + 8..<end, "secret", 0) }
                return
            }
            let name = start < text.count && text.isQuote(start) ? start + 1 : start
            guard text.has("value", at: name) else { return }
            var value = name + 5
            while value < text.count, text.isQuote(value) || text[value] == 0x5C { value += 1 }
            guard value < text.count, text[value] == UInt8(ascii: ":") else { return }
            value = text.skipBlanks(value + 1)
            checkValue(text, at: value, .attached, .token, found)
        }
    }
}
