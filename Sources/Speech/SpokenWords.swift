/// The words of a phrase as they are spoken: in lower case, without punctuation, numbers as English words.
enum SpokenWords {
    /// Returns the words to compare; apostrophes are removed.
    static func words(of text: String) -> [String] {
        let characters = Array(text.lowercased())
        var words = [""]
        for (index, character) in characters.enumerated() {
            switch character {
            case _ where character.isLetter || character.isNumber: words[words.count - 1].append(character)
            case "'", "’": continue
            case "," where isGroupSeparator(index, in: characters): continue
            default: words.append("")
            }
        }
        return withoutAnd(words.flatMap(spelled))
    }

    /// Returns the words for a grammar, or the first one that a grammar cannot contain.
    static func grammarWords(of phrase: String) -> (words: [String], unusable: String?) {
        var words: [String] = []
        for part in phrase.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == "-" }) {
            var word = part[...]
            while let last = word.last, ".,!?;:\"".contains(last) { word.removeLast() }
            while word.first == "\"" { word.removeFirst() }
            if word.isEmpty { continue }
            let isNumber = word.allSatisfy { $0.isASCII && $0.isNumber }
            guard isNumber || word.allSatisfy({ $0.isLetter || $0 == "'" }) else { return ([], String(part)) }
            words += spelled(String(word))
        }
        return (words, nil)
    }

    /// Whether a comma is between the digits of a number such as `1,000`.
    private static func isGroupSeparator(_ index: Int, in characters: [Character]) -> Bool {
        let digits = characters[(index + 1)...].prefix { $0.isASCII && $0.isNumber }
        return digits.count == 3 && index > 0 && characters[index - 1].isNumber
    }

    /// Removes the `and` of `one hundred and five`.
    private static func withoutAnd(_ words: [String]) -> [String] {
        words.indices.filter { index in
            guard words[index] == "and", index > 0, index + 1 < words.count else { return true }
            let isInNumber = words[index - 1] == "hundred" || words[index - 1] == "thousand"
            return !isInNumber || !(small.contains(words[index + 1]) || tens.contains(words[index + 1]))
        }.map { words[$0] }
    }

    /// The words of a number; numbers with leading zeros, and above 999,999, are spoken digit by digit.
    private static func spelled(_ word: String) -> [String] {
        guard !word.isEmpty else { return [] }
        guard word.allSatisfy({ $0.isASCII && $0.isNumber }) else { return [word] }
        if word.count <= 6, word == "0" || !word.hasPrefix("0"), let number = Int(word) { return spelled(number) }
        return word.compactMap(\.wholeNumberValue).map { small[$0] }
    }

    private static func spelled(_ number: Int) -> [String] {
        func rest(_ unit: Int) -> [String] { number % unit == 0 ? [] : spelled(number % unit) }
        switch number {
        case ..<20: return [small[number]]
        case ..<100: return [tens[number / 10 - 2]] + rest(10)
        case ..<1000: return [small[number / 100], "hundred"] + rest(100)
        default: return spelled(number / 1000) + ["thousand"] + rest(1000)
        }
    }

    private static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    private static let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
}
