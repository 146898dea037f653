import Core

/// Spoken phrases with the texts that they stand for: `phrase<TAB>text` on each line, and `#` comments.
package struct PhraseList: Sendable {
    package struct Phrase: Hashable, Sendable {
        package let phrase: String
        package let text: String
        package let line: Int
    }

    package struct Problem: Hashable, Sendable {
        package let line: Int
        package let message: String
    }

    package private(set) var phrases: [Phrase] = []
    /// Why the list cannot be used, in the order of the lines.
    package private(set) var problems: [Problem] = []
    /// Keyed by the words of the phrase.
    private var index: [[String]: Phrase] = [:]

    package static let limitBytes = 1 << 20

    package init(_ bytes: [UInt8]) {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let contents = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if let content = String(validating: content, as: UTF8.self) {
                add(content, line: index + 1)
            } else {
                problems.append(Problem(line: index + 1, message: "the line is not UTF-8"))
            }
        }
        if phrases.isEmpty, problems.isEmpty { problems.append(Problem(line: 1, message: "the file has no phrases")) }
    }

    private mutating func add(_ content: String, line: Int) {
        guard content.contains(where: { !$0.isWhitespace }), !content.hasPrefix("#") else { return }
        func problem(_ message: String) { problems.append(Problem(line: line, message: message)) }
        guard let tab = content.firstIndex(of: "\t") else { return problem("no tab between the phrase and its text") }
        let text = String(content[content.index(after: tab)...])
        let phrase = Phrase(phrase: String(content[..<tab]), text: text, line: line)
        let words = SpokenWords.words(of: phrase.phrase)
        guard !words.isEmpty else { return problem("the phrase has no words") }
        guard !phrase.text.isEmpty else { return problem("the phrase has no text") }
        guard !phrase.text.unicodeScalars.contains(where: \.isUnsafeForTerminals) else {
            return problem("the text contains a control character")
        }
        if let former = index[words] { return problem("the phrase is the same as in line \(former.line)") }
        index[words] = phrase
        phrases.append(phrase)
    }

    /// Returns the phrase that a whole text matches, apart from case, punctuation, the number of spaces, and digits for numbers.
    package func phrase(matching text: String) -> Phrase? {
        index[SpokenWords.words(of: text)]
    }

    // MARK: - Grammar

    /// The words that a grammar cannot contain.
    package var grammarProblems: [Problem] {
        phrases.compactMap { phrase in
            guard let word = SpokenWords.grammarWords(of: phrase.phrase).unusable else { return nil }
            return Problem(line: phrase.line, message: "a grammar cannot contain the word '\(word)'")
        }
    }

    /// A grammar of the phrases without problems (JSpeech Grammar Format, W3C Note 5 June 2000).
    package var grammar: [UInt8] {
        let alternatives = phrases.map { SpokenWords.grammarWords(of: $0.phrase).words.joined(separator: " ") }
        let rule = alternatives.filter { !$0.isEmpty }.joined(separator: " | ")
        return Array("#JSGF V1.0;\ngrammar c;\npublic <c> = \(rule);\n".utf8)
    }
}
