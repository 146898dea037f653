import Core

/// What a known_hosts file holds.
struct KnownHostsFile {
    var path: String
    var entries: [KnownHostsEntry] = []
    /// Lines that are not understood, in their order.
    var damagedLines: [DamagedKnownHostsLine] = []
}

/// A line of a known_hosts file that is not understood.
struct DamagedKnownHostsLine {
    var file: String
    /// Counted from 1.
    var line: Int
    var reason: String
    /// Whether it revokes a key: which one cannot be told.
    var isRevocation = false
    /// Nil where they cannot be read.
    var names: KnownHostsEntry.Names?

    /// Whether a host of one of these names (`Endpoint.knownHostsName`) cannot be checked because of the line.
    func bears(onAnyOf hosts: [String]) -> Bool {
        guard !isRevocation else { return true }
        guard let names else { return false }
        return hosts.contains(where: names.matches)
    }

    /// The error for a host that the line bears on.
    var refusal: VTError {
        VTError(
            .config,
            "'\(file)' line \(line): \(reason)",
            hint: "vi +\(line) \(ByteString(file).shellQuoted.repairedText)"
        )
    }
}
