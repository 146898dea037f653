/// Finds the values of a Kubernetes Secret in YAML or JSON (Kubernetes API, `Secret`), whose `kind` can precede them,
/// or follow them, as in the output of kubectl(1).
struct SecretManifest {
    private let clean: CleanLines
    private(set) var isOpen = false
    private var isSecret = false
    /// The indentation of `data:` or `stringData:` while its entries follow.
    private var dataIndent: Int?
    /// The values that were found before the `kind`.
    private var values: [[UInt8]] = []

    /// The maximum number of values that are kept until the `kind` follows.
    private static let mostValues = 1_000

    init(_ clean: CleanLines) {
        self.clean = clean
    }

    /// A line such as `name: value`, or `"name": "value",`.
    private struct Entry {
        var indent: Int
        var name: Range<Int>
        /// The value, without quotes; empty if it is a block, or follows on other lines.
        var value: Range<Int>
    }

    /// Returns the secret part of the next line.
    mutating func secrets(in text: LineText) -> [Range<Int>] {
        let start = text.skipBlanks(0)
        guard start < text.count, isOpen || Self.mayOpen(text, start) else { return [] }
        let entry = Self.entry(text, start)
        if let dataIndent, start > dataIndent {
            let value = entry?.value ?? start..<text.count
            return value.isEmpty ? [] : check(text, value)
        }
        dataIndent = nil
        guard let entry else {
            // A closing bracket of JSON does not end the manifest.
            if !"}],".utf8.contains(text[start]) { close() }
            return []
        }
        switch text.slice(entry.name) {
        case Array("data".utf8), Array("stringData".utf8):
            if entry.value.isEmpty { (isOpen, dataIndent) = (true, entry.indent) }
        case Array("kind".utf8):
            guard text.slice(entry.value) == Array("Secret".utf8) else {
                close()
                break
            }
            (isOpen, isSecret) = (true, true)
            for value in values { clean.record(value, rule: "secret") }
            values = []
        default: break
        }
        return []
    }

    private mutating func check(_ text: LineText, _ range: Range<Int>) -> [Range<Int>] {
        guard !SecretValue(text: text, range: range, isQuoted: true).isPlaceholder else { return [] }
        if isSecret { return [range] }
        if values.count < Self.mostValues { values.append(text.slice(range)) }
        return []
    }

    private mutating func close() {
        self = SecretManifest(clean)
    }

    private static func mayOpen(_ text: LineText, _ start: Int) -> Bool {
        let name = text.isQuote(start) ? start + 1 : text.has("- ", at: start) ? start + 2 : start
        let word = text.wordStart(at: name)
        return word == WordStart.data || word == WordStart.stri || word == WordStart.kind
    }

    private static func entry(_ text: LineText, _ start: Int) -> Entry? {
        let indent = text.has("- ", at: start) ? text.skipBlanks(start + 2) : start
        let first = indent < text.count && text.isQuote(indent) ? indent + 1 : indent
        var end = first
        while end < text.count, text.isName(end) || text[end] == UInt8(ascii: "/") { end += 1 }
        var value = end < text.count && text.isQuote(end) ? end + 1 : end
        guard end > first, value < text.count, text[value] == UInt8(ascii: ":") else { return nil }
        value = text.skipBlanks(value + 1)
        var range = value..<text.count
        if let quoted = text.value(at: value), quoted.isQuoted { range = quoted.content }
        if range.count <= 2, let first = range.first, "|>{[".utf8.contains(text[first]) { range = value..<value }
        return Entry(indent: indent, name: first..<end, value: range)
    }
}
