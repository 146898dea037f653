import Core

/// The format of files that list targets: one per line, with comments that start with `#`.
package enum TargetList {
    /// Returns the targets and patterns in a file; `name` is the file's name in messages.
    ///
    /// A byte order mark, which some editors write, is ignored.
    ///
    /// - Throws: `data.invalid` when the file is not UTF-8 or a line is malformed.
    package static func parse(_ bytes: [UInt8], name: String) throws(VTError) -> [TargetWord] {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let content = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
        guard let text = String(validating: content, as: UTF8.self) else {
            throw VTError(.dataInvalid, "\(name) is not UTF-8")
        }
        var words: [TargetWord] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            // A user name can contain #, but not after a space.
            let content = line.split(whereSeparator: \.isWhitespace).prefix { !$0.hasPrefix("#") }
            guard let word = content.first else { continue }
            do throws(VTError) {
                guard content.count == 1 else { throw VTError(.usage, "more than one target on a line") }
                if let names = try NameRanges.expanded(String(word)) {
                    words += names.map { .target(.profile($0)) }
                    continue
                }
                let word = try TargetWord(parsing: String(word))
                if case .file = word { throw VTError(.usage, "a list of targets cannot include another file") }
                words.append(word)
            } catch {
                throw VTError(.dataInvalid, "\(name), line \(index + 1): \(error.message)", hint: error.hint)
            }
        }
        return words
    }
}
