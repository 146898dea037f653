/// The uses of types across the folders of a module.
///
/// A folder is a directory directly below the module, such as `Sources/Terminal/Emulator`, with its subdirectories.
/// Types that are declared at the start of a line are found by name, outside comments and string literals.
struct FolderGraph {
    /// The folders used by each folder, with an example of a use: `file: Type`.
    private(set) var edges: [String: [String: String]] = [:]

    init(_ files: [SourceFile]) {
        let words = files.map { $0.lines.map(Self.words) }
        var owners: [String: String] = [:]
        for (file, lines) in zip(files, words) {
            for (line, words) in zip(file.lines, lines) where line.first?.isWhitespace == false {
                if let name = Self.declaredType(words) { owners[name] = file.folder }
            }
        }
        for (file, lines) in zip(files, words) {
            for name in Set(lines.joined()) {
                guard let owner = owners[name], owner != file.folder else { continue }
                edges[file.folder, default: [:]][owner] = "\(file.path): \(name)"
            }
        }
    }

    /// The uses that are part of a cycle: for each folder in a cycle, a string with its uses separated by `; `.
    var cycles: [String] {
        edges.keys.sorted().compactMap { folder in
            let ways = edges[folder, default: [:]].keys.sorted().filter { reachable(from: $0).contains(folder) }
            guard !ways.isEmpty else { return nil }
            return ways.map { edges[folder]?[$0] ?? "" }.joined(separator: "; ")
        }
    }

    private func reachable(from start: String) -> Set<String> {
        var seen: Set<String> = [start]
        var rest = [start]
        while let folder = rest.popLast() {
            for next in edges[folder, default: [:]].keys where seen.insert(next).inserted { rest.append(next) }
        }
        return seen
    }

    private static func declaredType(_ words: [String]) -> String? {
        let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else { return nil }
        return words[kind + 1]
    }

    /// The words of a line outside comments and string literals.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        var isInString = false
        var last: UInt8 = 0
        func finish() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word = []
        }
        for byte in line.utf8 {
            let isQuote = byte == UInt8(ascii: "\"") && last != UInt8(ascii: "\\")
            if isQuote { isInString.toggle() }
            if !isInString {
                if byte == UInt8(ascii: "/"), last == byte { break }
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): word.append(byte)
                default: finish()
                }
            }
            last = byte
        }
        finish()
        return words
    }
}

extension SourceFile {
    /// The first two levels below `Sources`: the module and a folder in it, or only the module.
    var folder: String {
        path.split(separator: "/").dropFirst().dropLast().prefix(2).joined(separator: "/")
    }
}
