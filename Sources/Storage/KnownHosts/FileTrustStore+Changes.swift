import Core
import System

extension FileTrustStore {
    package func knownHosts(for endpoint: Endpoint?, in lookup: HostKeyLookup) throws(VTError) -> [KnownHost] {
        let entries =
            if let endpoint { try decision(endpoint, lookup).relevant } else { try allEntries(lookup) }
        return entries.map { $0.described(isOwn: $0.file == ownFile) }
    }

    private func allEntries(_ lookup: HostKeyLookup) throws(VTError) -> [KnownHostsEntry] {
        let files = try files(matching: nil, lookup)
        reportDamage(in: files)
        return files.flatMap(\.entries)
    }

    package func add(
        _ key: HostKey,
        for endpoint: Endpoint,
        in lookup: HostKeyLookup,
        replacing: Bool
    ) throws(VTError) -> TrustVerdict {
        try locked { () throws(VTError) in
            let name = endpoint.knownHostsName
            let isReplaced: (KnownHostsEntry) -> Bool = { entry in
                replacing && entry.file == ownFile && entry.marker == nil && entry.isLiteral(for: name)
                    && entry.key.blob != key.blob
            }
            // Checked before removing entries, so that nothing is removed if the key is rejected.
            let standing = try decision(endpoint, lookup, without: isReplaced).standing(of: key)
            if replacing { _ = try remove(endpoint, where: isReplaced) }
            switch standing {
            case .known: return .known
            case .new, .otherTypeKnown:
                try append(key, as: name, to: ownFile)
                return .stored
            }
        }
    }

    package func forget(_ endpoint: Endpoint, isDryRun: Bool) throws(VTError) -> [KnownHost] {
        // A missing file has no entries, so create neither the file nor its lock.
        guard let file = try FileContents.read(ownFile) else { return [] }
        guard !isDryRun else {
            return ownEntries(file, of: endpoint.knownHostsName).map { $0.described(isOwn: true) }
        }
        return try locked { () throws(VTError) in try remove(endpoint) { _ in true } }
    }

    /// Removes the host's name from the selected lines of vt's own file, and removes lines that have no names left.
    private func remove(
        _ endpoint: Endpoint,
        where isChosen: (KnownHostsEntry) -> Bool
    ) throws(VTError) -> [KnownHost] {
        guard let bytes = try FileContents.read(ownFile) else { return [] }
        let name = endpoint.knownHostsName
        let removed = ownEntries(bytes, of: name).filter(isChosen)
        guard !removed.isEmpty else { return [] }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // In reverse, so that the numbers of earlier lines stay valid.
        for entry in removed.reversed() {
            if let rest = Self.line(lines[entry.line - 1], of: entry, without: name) {
                lines[entry.line - 1] = rest
            } else {
                lines.remove(at: entry.line - 1)
            }
        }
        try FileContents.replace(ownFile, with: Array(lines.joined(separator: [UInt8(ascii: "\n")])))
        return removed.map { $0.described(isOwn: true) }
    }

    /// The entries of vt's own file that name a host and have no marker.
    private func ownEntries(_ bytes: [UInt8], of name: String) -> [KnownHostsEntry] {
        KnownHostsParser.parse(bytes, file: ownFile).entries.filter { $0.marker == nil && $0.isLiteral(for: name) }
    }

    /// The line without this name; nil if no other name is left.
    private static func line(
        _ line: ArraySlice<UInt8>,
        of entry: KnownHostsEntry,
        without name: String
    ) -> ArraySlice<UInt8>? {
        guard case .patterns = entry.names else { return nil }
        let names = entry.namesText.split(separator: ",").filter { $0.lowercased() != name }
        guard !names.isEmpty else { return nil }
        let key = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.dropFirst(
            entry.namesText.utf8.count
        )
        return Array(names.joined(separator: ",").utf8) + key
    }
}
