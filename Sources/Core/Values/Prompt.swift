/// A question to the user while a connection is being established.
package struct Prompt: Hashable, Sendable {
    /// Lines to print on standard error before the question.
    package var lines: [String] = []
    /// The question, whose last line is not terminated.
    package var text: String
    /// Whether the answer is shown while it is typed.
    package var echoes = false

    /// The maximum length of a text from a server; the rest is omitted.
    package static let limitBytes = 8192

    package init(_ text: String, lines: [String] = []) {
        self.text = text
        self.lines = lines
    }

    /// Returns text from a server with line ends and tabs as they are, and other control characters escaped.
    package static func cleaned(_ bytes: some Collection<UInt8>, limit: Int = limitBytes) -> String {
        let text = String(decoding: bytes.prefix(limit), as: UTF8.self)
        let scalars = text.unicodeScalars.filter { $0 != "\r" }
        return scalars.map { $0 == "\n" || $0 == "\t" ? String($0) : String($0).sanitized }.joined()
    }
}
