import Core

/// The contents of a known_hosts file.
struct KnownHostsFile {
    var path: String
    var entries: [KnownHostsEntry] = []
    /// Malformed lines, in file order.
    var damagedLines: [DamagedKnownHostsLine] = []
}

/// A malformed line of a known_hosts file.
struct DamagedKnownHostsLine {
    var file: String
    /// The line number, from 1.
    var line: Int
    var reason: String
    /// Whether it revokes a key, which cannot be identified.
    var isRevocation = false
    /// Nil if they cannot be parsed.
    var names: KnownHostsEntry.Names?

    /// Whether the line prevents checking a host with one of these names (`Endpoint.knownHostsName`).
    func bears(onAnyOf hosts: [String]) -> Bool {
        guard !isRevocation else { return true }
        guard let names else { return false }
        return hosts.contains(where: names.matches)
    }

    /// The error for a host that the line applies to.
    var refusal: VTError {
        VTError(
            .config,
            "'\(file)' line \(line): \(reason)",
            hint: "vi +\(line) \(ByteString(file).shellQuoted.repairedText)"
        )
    }
}
