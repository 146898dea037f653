/// Parses the structure of a JSON document, strictly according to RFC 8259.
///
/// A duplicate member name in an object is an error, because parsers differ on which value they use.
package struct JSONOutlineParser {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var depth = 0

    /// The maximum nesting depth: more than any document that vt writes needs, and safe for the stack.
    private static let depthLimit = 64
    /// Up to this number of members, duplicates are found by comparing all names.
    private static let fewMembers = 32

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONOutline {
        var parser = JSONOutlineParser(bytes)
        let value = try parser.value()
        parser.skipBlanks()
        guard parser.position == bytes.count else { throw parser.error("unexpected data after the document") }
        return value
    }

    private func error(_ message: String) -> JSONSyntaxError {
        JSONSyntaxError(line: line, message: message)
    }

    private var next: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func skipBlanks() {
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: return
            }
            position += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    // MARK: - Values

    private mutating func value() throws(JSONSyntaxError) -> JSONOutline {
        skipBlanks()
        let start = position
        let startLine = line
        let content: JSONOutline.Content
        switch next {
        case UInt8(ascii: "{"): content = try nested { parser throws(JSONSyntaxError) in try parser.object() }
        case UInt8(ascii: "["): content = try nested { parser throws(JSONSyntaxError) in try parser.array() }
        case UInt8(ascii: "\""):
            try skipString()
            content = .string
        case UInt8(ascii: "t"): content = try literal("true", .bool)
        case UInt8(ascii: "f"): content = try literal("false", .bool)
        case UInt8(ascii: "n"): content = try literal("null", .null)
        default: content = try number()
        }
        return JSONOutline(content: content, line: startLine, range: start..<position)
    }

    private mutating func nested(
        _ body: (inout JSONOutlineParser) throws(JSONSyntaxError) -> JSONOutline.Content
    ) throws(JSONSyntaxError) -> JSONOutline.Content {
        guard depth < Self.depthLimit else { throw error("the document is nested too deeply") }
        depth += 1
        defer { depth -= 1 }
        position += 1
        return try body(&self)
    }

    private mutating func object() throws(JSONSyntaxError) -> JSONOutline.Content {
        var members: [JSONOutline.Member] = []
        // Filled only for large objects: creating the first set takes longer than parsing a short document.
        var names: Set<String> = []
        guard !take("}") else { return .object([]) }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw error("expected a member name") }
            let start = position
            try skipString()
            let name = JSONOutline(content: .string, line: line, range: start..<position).string(in: bytes) ?? ""
            if members.count == Self.fewMembers { names = Set(members.map { $0.name }) }
            let isNew =
                members.count < Self.fewMembers
                ? !members.contains { $0.name.utf8.count == name.utf8.count && $0.name == name }
                : names.insert(name).inserted
            guard isNew else { throw error("duplicate member '\(name)'") }
            guard take(":") else { throw error("expected ':' after '\(name)'") }
            let value = try value()
            members.append(JSONOutline.Member(name: name, value: value, range: start..<value.range.upperBound))
        } while take(",")
        guard take("}") else { throw error("expected ',' or '}'") }
        return .object(members)
    }

    private mutating func array() throws(JSONSyntaxError) -> JSONOutline.Content {
        var elements: [JSONOutline] = []
        guard !take("]") else { return .array([]) }
        repeat {
            elements.append(try value())
        } while take(",")
        guard take("]") else { throw error("expected ',' or ']'") }
        return .array(elements)
    }

    // MARK: - Scalars

    private mutating func literal(
        _ text: String,
        _ content: JSONOutline.Content
    ) throws(JSONSyntaxError) -> JSONOutline.Content {
        guard bytes[position...].starts(with: text.utf8) else { throw error("expected a value") }
        position += text.utf8.count
        return content
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONOutline.Content {
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) {
            guard skipDigits() > 0 else { throw error("expected a value") }
        }
        if skip(UInt8(ascii: ".")), skipDigits() == 0 { throw error("expected a digit") }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            guard skipDigits() > 0 else { throw error("expected a digit") }
        }
        return .number
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func skipString() throws(JSONSyntaxError) {
        position += 1
        let start = position
        position = endOfPlainText
        while skip(UInt8(ascii: "\\")) {
            try skipEscape()
            position = endOfPlainText
        }
        guard skip(UInt8(ascii: "\"")) else { throw error("unterminated string") }
        guard (try? UTF8Span(validating: bytes.span.extracting(start..<position - 1))) != nil else {
            throw error("a string is not valid UTF-8")
        }
    }

    /// The position of the end of a string, of an escape, or of a byte that a string cannot contain.
    private var endOfPlainText: Int {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var end = position
            while end < bytes.count {
                let byte = unsafe bytes[end]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
                end += 1
            }
            return end
        }
    }

    private mutating func skipEscape() throws(JSONSyntaxError) {
        guard let byte = next else { throw error("unterminated string") }
        position += 1
        guard byte == UInt8(ascii: "u") else {
            guard "\"\\/bfnrt".utf8.contains(byte) else { throw error("invalid escape in a string") }
            return
        }
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ $0.hexadecimalValue != nil }) else {
            throw error("expected four hexadecimal digits after '\\u'")
        }
        position += 4
    }
}

/// A syntax error in a JSON document.
package struct JSONSyntaxError: Error, Equatable {
    /// The line number, starting at 1.
    package var line: Int
    /// The reason, such as `expected a value`.
    package var message: String

    package init(line: Int, message: String) {
        self.line = line
        self.message = message
    }
}
