/// An environment variable of a program, `NAME=VALUE`.
package struct EnvironmentVariable: Hashable, Sendable {
    package let name: String
    package let value: String

    /// - Parameter text: `NAME=VALUE`; the name is `[A-Za-z_][A-Za-z0-9_]*` (POSIX, XBD 8.1), and the value contains
    ///   no NUL.
    /// - Throws: `usage` when the text does not have this form.
    package init(_ text: String) throws(VTError) {
        guard let equals = text.firstIndex(of: "=") else {
            throw VTError(.usage, "invalid variable '\(text)': expected NAME=VALUE")
        }
        let name = String(text[..<equals])
        let value = String(text[text.index(after: equals)...])
        guard Self.isName(name) else { throw VTError(.usage, "invalid variable name '\(name)'") }
        guard !value.utf8.contains(0) else { throw VTError(.usage, "the value of '\(name)' contains a NUL byte") }
        self.name = name
        self.value = value
    }

    /// Returns whether the text is `[A-Za-z_][A-Za-z0-9_]*`.
    package static func isName(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
