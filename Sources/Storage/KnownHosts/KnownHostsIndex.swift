import Core

/// The entries of one known_hosts file, found by the names of hosts.
///
/// A run may look up thousands of hosts in a file of thousands of lines, so plain names are found without going through
/// the file. Wildcards and hashed names must be compared one by one, which is done once for each name.
struct KnownHostsIndex {
    /// In the order of the file.
    private(set) var entries: [KnownHostsEntry] = []
    /// How many line ends the file has.
    private var lineCount: Int
    /// The positions in `entries` of plain names.
    private var plain: [String: [Int]] = [:]
    /// The positions of the entries that have to be compared.
    private var compared: [Int] = []
    /// The positions of the entries in `compared` that match a name, for the names looked up so far.
    private var comparisons: [String: [Int]] = [:]

    /// - Throws: `config` when a line is malformed.
    init(parsing bytes: [UInt8], file: String) throws(VTError) {
        lineCount = bytes.count { $0 == UInt8(ascii: "\n") }
        for entry in try KnownHostsParser.parse(bytes, file: file) { add(entry) }
    }

    /// The entries that match one of the names, in the order of the file.
    ///
    /// Names are those of `Endpoint.knownHostsName`.
    mutating func entries(matching names: [String]) -> [KnownHostsEntry] {
        var positions: Set<Int> = []
        for name in names {
            positions.formUnion(plain[name, default: []])
            positions.formUnion(compare(name))
        }
        return positions.sorted().map { entries[$0] }
    }

    /// Adds whole lines at the end of the file.
    ///
    /// - Throws: `config` when a line is malformed; the index is then as it was.
    mutating func append(_ lines: [UInt8], file: String) throws(VTError) {
        for var entry in try KnownHostsParser.parse(lines, file: file) {
            entry.line += lineCount
            add(entry)
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
    /// The names of the entry where each stands for itself; nil for hashed names, wildcards and exclusions.
    fileprivate var plainNames: [String]? {
        guard case .patterns(let patterns) = names else { return nil }
        let special = Set("*?!".utf8)
        return patterns.contains { $0.utf8.contains(where: special.contains) } ? nil : patterns
    }
}
