import Core

/// The format of a row of a list: text, and fields whose values are inserted.
struct ListTemplate: Sendable {
    private enum Part {
        case text(String)
        case field(ListField)
    }

    private var parts: [Part] = []

    /// Parses the names of fields, separated by commas; their values are separated by tabs.
    init(fields text: String, of type: JSONType) throws(VTError) {
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            if !parts.isEmpty { parts.append(.text("\t")) }
            parts.append(.field(try ListField(parsing: String(name), of: type)))
        }
    }

    /// Parses text with `{FIELD}`, `{{`, `}}`, `\t`, `\n` and `\\`.
    init(parsing text: String, of type: JSONType) throws(VTError) {
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\": append(try Self.escape(rest.popFirst()))
            case "{" where rest.first == "{", "}" where rest.first == "}":
                rest.removeFirst()
                append(character)
            case "{":
                let name = rest.prefix { $0 != "}" }
                guard name.endIndex < rest.endIndex else {
                    throw VTError(.usage, "'{\(name)' is not closed", hint: "write '{{' for a brace")
                }
                parts.append(.field(try ListField(parsing: String(name), of: type)))
                rest = rest[name.endIndex...].dropFirst()
            case "}": throw VTError(.usage, "unexpected '}' in '\(text)'", hint: "write '}}' for a brace")
            default: append(character)
            }
        }
    }

    /// The row on one line, unless the template itself has line feeds.
    func text(of record: ListRecord) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let field): record.text(of: field).onOneLine
            }
        }.joined()
    }

    private mutating func append(_ character: Character) {
        if case .text(let text) = parts.last {
            parts[parts.count - 1] = .text(text + String(character))
        } else {
            parts.append(.text(String(character)))
        }
    }

    private static func escape(_ letter: Character?) throws(VTError) -> Character {
        switch letter {
        case "t": return "\t"
        case "n": return "\n"
        case "\\": return "\\"
        default:
            let escape = "\\" + (letter.map(String.init) ?? "")
            throw VTError(.usage, "unknown escape sequence '\(escape)'", hint: "use \\t, \\n or \\\\")
        }
    }
}

extension String {
    /// The text with control characters and backslashes escaped: `\t`, `\n`, `\\`, `\x1b`.
    fileprivate var onOneLine: String {
        split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\").sanitized
    }
}
