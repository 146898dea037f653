import Core
import Glibc

/// A process environment as a value, so that tests can construct one.
package struct Environment: Sendable {
    /// `NAME=VALUE` words in no particular order.
    package let words: [ByteString]

    /// The environment with which this process was started.
    package static let process = Environment(words: processWords())

    package init(_ values: [String: String]) {
        words = values.map { ByteString("\($0.key)=\($0.value)") }
    }

    private init(words: [ByteString]) {
        self.words = words
    }

    /// The value of a variable; nil if the variable is unset, empty (which vt treats as unset) or not UTF-8.
    package subscript(name: String) -> String? {
        let start = Array("\(name)=".utf8)
        guard let word = words.first(where: { $0.bytes.starts(with: start) }),
            let value = ByteString(Array(word.bytes[start.count...])).text, !value.isEmpty
        else { return nil }
        return value
    }

    /// Whether a variable is set but is not UTF-8.
    package func isUnreadable(_ name: String) -> Bool {
        let start = Array("\(name)=".utf8)
        return words.contains { word in
            word.bytes.starts(with: start) && ByteString(Array(word.bytes[start.count...])).text == nil
        }
    }

    /// Returns the environment of this process; the corresponding C variable is `environ`.
    private static func processWords() -> [ByteString] {
        var words: [ByteString] = []
        var next = unsafe environ
        while let word = unsafe next.pointee {
            unsafe words.append(ByteString(UnsafeRawBufferPointer(start: word, count: strlen(word))))
            unsafe next += 1
        }
        return words
    }
}
