import Core

/// The entries of one known_hosts file, indexed by host name.
///
/// A run may look up thousands of hosts in a file of thousands of lines, so plain names are found with an index.
/// Wildcards and hashed names must be compared one by one, once for each name that is looked up.
struct KnownHostsIndex {
    /// In file order.
    private(set) var entries: [KnownHostsEntry] = []
    /// Malformed lines, in file order.
    private(set) var damagedLines: [DamagedKnownHostsLine] = []
    /// The number of newlines in the file.
    private var lineCount: Int
    /// For each plain name, the positions of its entries in `entries`.
    private var plain: [String: [Int]] = [:]
    /// The positions of the entries with wildcards, exclusions or hashed names.
    private var compared: [Int] = []
    /// The positions of the entries in `compared` that match a name, for names looked up so far.
    private var comparisons: [String: [Int]] = [:]

    init(parsing bytes: [UInt8], file: String) {
        lineCount = 0
        append(bytes, file: file)
    }

    /// The entries that match one of the names, in file order.
    ///
    /// Names have the format of `Endpoint.knownHostsName`.
    mutating func entries(matching names: [String]) -> [KnownHostsEntry] {
        var positions: Set<Int> = []
        for name in names {
            positions.formUnion(plain[name, default: []])
            positions.formUnion(compare(name))
        }
        return positions.sorted().map { entries[$0] }
    }

    /// Adds the entries of complete lines that were appended to the file.
    mutating func append(_ lines: [UInt8], file: String) {
        let parsed = KnownHostsParser.parse(lines, file: file)
        for var entry in parsed.entries {
            entry.line += lineCount
            add(entry)
        }
        for var line in parsed.damagedLines {
            line.line += lineCount
            damagedLines.append(line)
        }
        lineCount += lines.count { $0 == UInt8(ascii: "\n") }
    }

    private mutating func add(_ entry: KnownHostsEntry) {
        let position = entries.count
        entries.append(entry)
        if let names = entry.plainNames {
            for name in Set(names) { plain[name, default: []].append(position) }
        } else {
            compared.append(position)
            comparisons = [:]
        }
    }

    private mutating func compare(_ name: String) -> [Int] {
        if let known = comparisons[name] { return known }
        let matches = compared.filter { entries[$0].matches(name) }
        comparisons[name] = matches
        return matches
    }
}

extension KnownHostsEntry {
    /// The names of the entry if all of them are literal; nil for hashed names, wildcards and exclusions.
    fileprivate var plainNames: [String]? {
        guard case .patterns(let patterns) = names else { return nil }
        let special = Set("*?!".utf8)
        return patterns.contains { $0.utf8.contains(where: special.contains) } ? nil : patterns
    }
}
