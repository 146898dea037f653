import Core
import System

extension Environment {
    /// The variables whose names match the patterns; `-PATTERN` removes earlier patterns that match it (ssh_config(5),
    /// SendEnv).
    func variables(matching patterns: [String]) -> [EnvironmentVariable] {
        let patterns = patterns.reduce(into: []) { (kept: inout [String], pattern) in
            guard pattern.hasPrefix("-") else { return kept.append(pattern) }
            kept.removeAll { Wildcard.matches(String(pattern.dropFirst()), $0) }
        }
        return words.compactMap { word in
            let name = String(decoding: word.bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            guard Wildcard.matches(anyOf: patterns, name) else { return nil }
            // Names that are invalid in POSIX, and values that are not UTF-8, are not offered.
            return word.text.flatMap { try? EnvironmentVariable($0) }
        }
    }
}

extension [EnvironmentVariable] {
    /// The variables, without those overridden by a later variable of the same name.
    var lastOfEach: [EnvironmentVariable] {
        var names: Set<String> = []
        return reversed().filter { names.insert($0.name).inserted }.reversed()
    }
}
