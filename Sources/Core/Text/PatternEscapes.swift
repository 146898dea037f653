/// Translates common escapes in expressions to forms that regcomp(3) supports.
///
/// glibc treats an unknown escape as the letter after the backslash, so `\d` would match a `d`; in brackets a backslash
/// is literal (POSIX.1-2024, XBD 9.3.5). Neither is reported as an error.
enum PatternEscapes {
    /// Returns the expression with `\d`, `\D` and `\t` expanded and, within brackets, `\d`, `\w`, `\s`, `\t` and `\\`.
    ///
    /// - Throws: `usage` for an unsupported letter or digit after a backslash and, within brackets, for `\]` and `\-`.
    static func posix(_ text: String) throws(VTError) -> String {
        var result = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                guard let escaped = rest.popFirst() else { return result + "\\" }
                result += try outside(escaped, text)
            case "[":
                result.unicodeScalars.append(scalar)
                result += try brackets(&rest, text)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func outside(_ escaped: Unicode.Scalar, _ text: String) throws(VTError) -> String {
        switch escaped {
        case "d": return "[0-9]"
        case "D": return "[^0-9]"
        case "t": return "\t"
        // glibc supports these escapes; the digits are back-references.
        case "w", "W", "s", "S", "b", "B", "1"..."9": return "\\\(escaped)"
        case "a"..."z", "A"..."Z", "0":
            throw unknown(escaped, text, hint: "use \\d, \\w, \\s, \\b or a class such as [[:alpha:]]; see regex(7)")
        default: return "\\\(escaped)"
        }
    }

    /// Consumes the rest of a bracket expression, including its closing bracket.
    private static func brackets(
        _ rest: inout Substring.UnicodeScalarView,
        _ text: String
    ) throws(VTError) -> String {
        var result = String.UnicodeScalarView()
        if rest.first == "^" { result.append(rest.removeFirst()) }
        // A leading closing bracket is literal.
        if rest.first == "]" { result.append(rest.removeFirst()) }
        while let scalar = rest.popFirst() {
            switch scalar {
            case "]":
                result.append(scalar)
                return String(result)
            case "[":
                result.append(scalar)
                guard let kind = rest.first, kind == ":" || kind == "." || kind == "=" else { continue }
                result.append(rest.removeFirst())
                while let next = rest.popFirst() {
                    result.append(next)
                    guard next != kind || rest.first != "]" else { break }
                }
                if rest.first == "]" { result.append(rest.removeFirst()) }
            case "\\": result.append(contentsOf: try inside(&rest, text))
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func inside(
        _ rest: inout Substring.UnicodeScalarView,
        _ text: String
    ) throws(VTError) -> String.UnicodeScalarView {
        switch rest.first {
        case "d": rest.removeFirst(); return "0-9".unicodeScalars
        case "w": rest.removeFirst(); return "[:alnum:]_".unicodeScalars
        case "s": rest.removeFirst(); return "[:space:]".unicodeScalars
        case "t": rest.removeFirst(); return "\t".unicodeScalars
        case "\\": rest.removeFirst(); return "\\\\".unicodeScalars
        case let escaped?
        where ("a"..."z").contains(escaped) || ("A"..."Z").contains(escaped) || ("0"..."9").contains(escaped)
            || escaped == "]" || escaped == "-":
            throw unknown(
                escaped,
                text,
                hint:
                    "within brackets put ']' first, '-' last, '\\\\' for a backslash, or a class such as [:alpha:]"
            )
        default: return "\\".unicodeScalars
        }
    }

    private static func unknown(_ escaped: Unicode.Scalar, _ text: String, hint: String) -> VTError {
        VTError(.usage, "invalid regular expression '\(text)': unknown escape '\\\(escaped)'", hint: hint)
    }
}
