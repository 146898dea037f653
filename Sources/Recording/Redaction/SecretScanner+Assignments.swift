/// Assignments: `NAME=…`, `name: …`, `"name" => "…"`, `<name>…</name>`, `scheme://user:…@host`.
extension SecretScanner {
    /// Examines an `=` or a `:`.
    func assignment(_ text: LineText, at index: Int, _ found: Found) {
        let isColon = text[index] == UInt8(ascii: ":")
        if isColon, text.has("://", at: index) { return address(text, at: index, found) }
        // `:=` is handled at its `=`, and `::` joins names.
        if isColon, index + 1 < text.count, text[index + 1] == UInt8(ascii: "=") || text[index + 1] == 0x3A { return }
        var start = index + 1
        var isCompared = !isColon && index > 0 && text[index - 1] == UInt8(ascii: "!")
        if !isColon, start < text.count, text[start] == UInt8(ascii: ">") || text[start] == UInt8(ascii: "=") {
            isCompared = text[start] == UInt8(ascii: "=")
            start += 1
        }
        let attachedStart = start
        start = text.skipBlanks(start)
        guard start < text.count, !isEndOfText(text, start, from: index),
            let name = name(text, before: index)
        else { return }
        if isHeader(text, name, at: start, found) { return }
        if name.count == 5, text.has("value", in: name) {
            guard isNamedSecret(text, before: name.lowerBound) else { return }
            return checkValue(text, at: start, .apart, .token, found)
        }
        // The working directory of a shell: `PWD=/home/alice`.
        if name.count == 3, text.has("pwd", in: name), text[start] == UInt8(ascii: "/") { return }
        guard let strength = strength(text, name, index, isColon) else { return }
        if isColon || start > attachedStart || name.upperBound < index && text.isBlank(index - 1) {
            // Test results of `make check` start with `PASS: `.
            if isColon, name.count == 4, text.has("pass", at: name.lowerBound),
                !text.isQuote(max(name.lowerBound - 1, 0))
            {
                return
            }
            if isColon, attachedStart == start, !isQuotedBefore(text, index), !text.isQuote(start),
                strength != .password
            {
                // `token:value` without a blank is usually part of something else.
                guard let value = text.value(at: start),
                    SecretValue(text: text, range: value.content, isQuoted: false).isRandom
                else { return }
            }
            checkValue(text, at: start, .apart, strength, isCompared: isCompared, found)
        } else {
            checkValue(text, at: start, .attached, strength, isCompared: isCompared, found)
        }
    }

    /// Whether a quote after an operator ends the string that contains the operator, as in
    /// `getpass(prompt='Password: ', …)`.
    private func isEndOfText(_ text: LineText, _ start: Int, from `operator`: Int) -> Bool {
        let isEscaped = text[start] == UInt8(ascii: "\\")
        let quote = isEscaped ? start + 1 : start
        guard quote < text.count, text.isQuote(quote),
            quote + 1 == text.count || ",;)] \t".utf8.contains(text[quote + 1])
        else { return false }
        let quotes = (max(0, `operator` - 256)..<`operator`).count {
            text[$0] == text[quote] && (!isEscaped || $0 > 0 && text[$0 - 1] == UInt8(ascii: "\\"))
        }
        return !quotes.isMultiple(of: 2)
    }

    private func isQuotedBefore(_ text: LineText, _ index: Int) -> Bool { index > 0 && text.isQuote(index - 1) }

    /// Calls `found` with the value at an index if it can be a secret.
    func checkValue(
        _ text: LineText,
        at start: Int,
        _ place: SecretValue.Place,
        _ strength: SecretName.Strength,
        isCompared: Bool = false,
        _ found: Found
    ) {
        if let end = wordDiff(text, at: start, place, strength, found) {
            return checkValue(text, at: end, place, strength, found)
        }
        guard let value = text.value(at: start), value.isQuoted || !isCompared else { return }
        // In a plan of Terraform, the new value follows: `"A" -> "B"`.
        let arrow = text.skipBlanks(value.range.upperBound)
        if value.isQuoted, text.has("-> \"", at: arrow) { checkValue(text, at: arrow + 3, place, strength, found) }
        let secret = SecretValue(text: text, range: value.content, isQuoted: value.isQuoted)
        // Parsers compare tokens with words: `token == 'async'`; text in backquotes is often code in a sentence.
        let isWord = isCompared || text[start] == UInt8(ascii: "`")
        guard !isWord || secret.isMixed, secret.mayBeSecret(place, strength) else { return }
        if place == .apart, !value.isQuoted, !isAlone(text, value.range.upperBound), !secret.isRandom { return }
        found(value.range, strength == .password ? "password" : "secret", 0)
    }

    /// Examines a value with the marks of `git diff --word-diff`, `[-…-]` or `{+…+}`; returns the index after it.
    private func wordDiff(
        _ text: LineText,
        at start: Int,
        _ place: SecretValue.Place,
        _ strength: SecretName.Strength,
        _ found: Found
    ) -> Int? {
        guard text.has("[-", at: start) || text.has("{+", at: start) else { return nil }
        let end = text.index(of: text[start] == UInt8(ascii: "[") ? "-]" : "+}", in: start + 2..<text.count)
        guard let end else { return nil }
        checkValue(text, at: start + 2, place, strength, found)
        return end + 2
    }

    /// Whether a value is followed by the end of the line or list; a word in a sentence is not a value.
    private func isAlone(_ text: LineText, _ end: Int) -> Bool {
        let next = text.skipBlanks(end)
        guard next < text.count else { return true }
        return text.has("-]", at: next) || text.has("+}", at: next) || ",;}])#\"'|&\\".utf8.contains(text[next])
    }

    /// Returns the strength of a name, or of the words of a prompt: `Password for bob:`.
    private func strength(
        _ text: LineText,
        _ name: Range<Int>,
        _ index: Int,
        _ isColon: Bool
    ) -> SecretName.Strength? {
        if SecretName.mayBeSecret(text, name), let strength = SecretName.strength(text.slice(name)) { return strength }
        guard isColon, index + 1 == text.count || text.isBlank(index + 1) else { return nil }
        var start = max(0, index - 80)
        while start + 12 < index {
            if text.wordStart(at: start) == WordStart.pass, Self.prompts.contains(where: { text.has($0, at: start) }) {
                return .password
            }
            start += 1
        }
        return nil
    }

    private static let prompts: [StaticString] = ["password for", "passphrase for", "pass phrase for", "passcode for"]

    /// Returns the name before an operator: `name`, `"name"`, `name [default]`, `$x['name']`.
    private func name(_ text: LineText, before index: Int) -> Range<Int>? {
        var end = index
        // The operator can be `:=`, `?=`, `+=` or `!=`.
        if text[index] == UInt8(ascii: "="), end > 0, ":?+!".utf8.contains(text[end - 1]) { end -= 1 }
        while end > 0, text.isBlank(end - 1), index - end < 24 { end -= 1 }
        if end > 0, text[end - 1] == UInt8(ascii: "]") {
            var open = end - 1
            while open > 0, end - open < 40, text[open] != UInt8(ascii: "[") { open -= 1 }
            if open > 0, !text.isQuote(end - 2) {
                end = open
                while end > 0, text.isBlank(end - 1) { end -= 1 }
            } else {
                end -= 1
            }
        }
        if end > 0, text[end - 1] == UInt8(ascii: ")") { end -= 1 }
        if end > 0, text.isQuote(end - 1) || text[end - 1] == UInt8(ascii: "`") { end -= 1 }
        if end > 0, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        // A sentence: `the password is: …`.
        if text[index] == UInt8(ascii: ":"), text.has(" is", at: end - 3) { end -= 3 }
        var start = end
        while start > 0, end - start < 64, text.isName(start - 1) { start -= 1 }
        if text[index] == UInt8(ascii: "="), let typed = nameBeforeType(text, start..<end) { return typed }
        if end - start < 2 {
            // A prompt with words in quotes: `passphrase for key '/home/…':`.
            return text[index] == UInt8(ascii: ":") && index > 12 ? end..<end : nil
        }
        // `AWS Secret Access Key`: a name with several words.
        if start > 1, text[start - 1] == 0x20, text.has("key", in: start..<end), end - start == 3 {
            var word = start - 1
            while word > 0, end - word < 32, text.isName(word - 1) { word -= 1 }
            return word..<end
        }
        return start..<end
    }

    /// Returns the name before the type of a variable: `password string = …`, `password: &str = …`.
    private func nameBeforeType(_ text: LineText, _ type: Range<Int>) -> Range<Int>? {
        guard type.count == 3 && text.has("str", in: type) || type.count == 6 && text.has("string", in: type) else {
            return nil
        }
        var end = type.lowerBound
        while end > 0, text.isBlank(end - 1) || ":&".utf8.contains(text[end - 1]) { end -= 1 }
        var start = end
        while start > 0, end - start < 64, text.isName(start - 1) { start -= 1 }
        return start < end && end < type.lowerBound ? start..<end : nil
    }

    /// Whether the name that belongs to a `value` is the name of a secret: `{"name": "API_TOKEN", "value": "…"}`.
    private func isNamedSecret(_ text: LineText, before index: Int) -> Bool {
        var start = index
        while start > 0, index - start < 160 {
            start -= 1
            guard text.wordStart(at: start) == WordStart.name || text.has("key", at: start) else { continue }
            var first = start + (text.has("name", at: start) ? 4 : 3)
            while first < index, !text.isName(first) { first += 1 }
            var end = first
            while end < index, text.isName(end) { end += 1 }
            return end > first && SecretName.strength(text.slice(first..<end)) != nil
        }
        return false
    }

    // MARK: - Headers

    /// Examines `Authorization: Bearer …` and `Cookie: …`; returns whether the name is one of these headers.
    private func isHeader(_ text: LineText, _ name: Range<Int>, at start: Int, _ found: Found) -> Bool {
        if name.count >= 13, text.has("authorization", at: name.upperBound - 13) {
            authorization(text, at: start, found)
            return true
        }
        guard name.count == 6 || name.count == 10, text.has("cookie", at: name.upperBound - 6) else { return false }
        let end = headerEnd(text, start)
        var index = start
        while index < end {
            var equals = index
            while equals < end, text[equals] != UInt8(ascii: "="), text[equals] != UInt8(ascii: ";") { equals += 1 }
            guard equals < end, text[equals] == UInt8(ascii: "=") else { return true }
            var last = equals + 1
            while last < end, text[last] != UInt8(ascii: ";") { last += 1 }
            let value = SecretValue(text: text, range: equals + 1..<last, isQuoted: true)
            if value.range.count >= 16 || value.isRandom, !value.isPlaceholder { found(equals + 1..<last, "cookie", 0) }
            // In `Set-Cookie`, the text after the first pair consists of attributes.
            if name.count == 10 { return true }
            index = text.skipBlanks(min(last + 1, end))
        }
        return true
    }

    private func authorization(_ text: LineText, at start: Int, _ found: Found) {
        let end = headerEnd(text, text.isQuote(start) ? start + 1 : start)
        var index = text.isQuote(start) ? start + 1 : start
        let schemes: [StaticString] = [
            "bearer", "basic", "token", "digest", "negotiate", "apikey", "ssws", "aws4-hmac",
        ]
        let hasScheme = schemes.contains { text.has($0, at: index) }
        if hasScheme { index = text.skipBlanks(text.wordEnd(index)) }
        while index < end {
            let value = SecretValue(text: text, range: index..<min(text.wordEnd(index), end), isQuoted: true)
            if hasScheme ? value.range.count >= 3 && !value.isWordOrCode : value.isRandom && !value.isWordOrCode {
                return found(value.range, "authorization", 0)
            }
            // Without a known scheme, any word can be the credentials.
            guard !hasScheme else { return }
            index = text.skipBlanks(value.range.upperBound)
        }
    }

    /// Returns the end of a header: a quote or backslash, or the end of the line.
    private func headerEnd(_ text: LineText, _ start: Int) -> Int {
        var end = start
        while end < text.count, !text.isQuote(end), text[end] != UInt8(ascii: "\\") { end += 1 }
        while end > start, text.isBlank(end - 1) { end -= 1 }
        return end
    }

    // MARK: - URLs and tags

    /// Examines `scheme://user:password@host` (RFC 3986 §3.2.1), which can also have a token in place of the user.
    private func address(_ text: LineText, at index: Int, _ found: Found) {
        guard index > 0, TokenAlphabet.alphanumeric.contains(text[index - 1]) else { return }
        let start = index + 3
        // Excludes the syntax in a manual: `scheme://[user:password@]host`.
        guard start < text.count, text[start] != UInt8(ascii: "[") else { return }
        var end = start
        var at: Int?
        var colon: Int?
        while end < text.count, !text.isBlank(end), !text.isQuote(end), text[end] != UInt8(ascii: "/") || at == nil {
            if text[end] == UInt8(ascii: "@") { at = end }
            if text[end] == UInt8(ascii: ":"), colon == nil, at == nil { colon = end }
            if ["?", "#", "/"].contains(Character(UnicodeScalar(text[end]))), colon == nil || at == nil {
                // A password can contain these characters only if an `@` follows before the next blank.
                guard let last = lastAt(text, end), colon != nil, isPassword(text, colon, last) else { break }
                at = last
                break
            }
            end += 1
        }
        guard let at else { return }
        let secret = colon.map { $0 + 1..<at } ?? start..<at
        // Also excludes this syntax in a manual: `scheme://user[:password]@host`.
        guard !secret.isEmpty, colon.map({ text[$0 - 1] != UInt8(ascii: "[") }) ?? true else { return }
        let value = SecretValue(text: text, range: secret, isQuoted: false)
        if colon != nil ? !value.isAddressPlaceholder : value.isRandom && secret.count >= 16 {
            found(secret, "url-password", 0)
        }
    }

    private func lastAt(_ text: LineText, _ start: Int) -> Int? {
        var index = start
        while index < text.count, !text.isBlank(index), !text.isQuote(index) {
            if text[index] == UInt8(ascii: "@") { return index }
            index += 1
        }
        return nil
    }

    /// Whether the text between a colon and an `@` is a password with a slash, rather than a port and path.
    private func isPassword(_ text: LineText, _ colon: Int?, _ at: Int) -> Bool {
        guard let colon else { return false }
        var index = colon + 1
        while index < at, 0x30...0x39 ~= text[index] { index += 1 }
        return index < at && text[index] != UInt8(ascii: "/")
    }

    /// Examines an element such as `<password>…</password>`; `index` is the index of the first `>`.
    func tag(_ text: LineText, at index: Int, _ found: Found) {
        var start = index
        while start > 0, index - start < 100, text[start - 1] != UInt8(ascii: "<") { start -= 1 }
        guard start > 0, text[start - 1] == UInt8(ascii: "<"), start < index else { return }
        var nameEnd = start
        while nameEnd < index, text.isName(nameEnd) || text[nameEnd] == UInt8(ascii: ":") { nameEnd += 1 }
        var end = index + 1
        let limit = min(text.count, index + 4096)
        while end < limit, text[end] != UInt8(ascii: "<") { end += 1 }
        guard end < limit, end > index + 1, end + 1 < text.count, text[end + 1] == UInt8(ascii: "/") else {
            return
        }
        var strength = SecretName.strength(text.slice(start..<nameEnd))
        if strength == nil, text.has("name=", in: nameEnd..<index) {
            // The name can be the value of an attribute: `<entry name="api_token">…</entry>`.
            let attribute = text.slice(nameEnd..<index).split { !TokenAlphabet.dotted.contains($0) }.last
            strength = attribute.flatMap { SecretName.strength(Array($0)) }
        }
        guard let strength else { return }
        let value = SecretValue(text: text, range: index + 1..<end, isQuoted: true)
        if value.mayBeSecret(.attached, strength) { found(index + 1..<end, "secret", 0) }
    }
}
