import Core

/// A malformed line of a known_hosts file.
struct DamagedKnownHostsLine {
    var file: String
    /// The line number, starting at 1.
    var line: Int
    var reason: String
    /// Whether the line revokes a key; the key itself cannot be determined.
    var isRevocation = false
    /// The host names; nil if they cannot be parsed.
    var names: KnownHostsEntry.Names?

    /// Whether the line prevents checking a host with this name (`Endpoint.knownHostsName`).
    ///
    /// A name without a port means port 22; for other ports, such a line could confirm a key but never reject one.
    func bears(on host: String) -> Bool {
        isRevocation || names?.matches(host) == true
    }

    /// The error for a host that the line applies to.
    var refusal: VTError {
        VTError(
            .config,
            "'\(file)' line \(line): \(reason)",
            hint: "correct or remove the line: vi +\(line) \(ByteString(file).shellQuoted.repairedText)"
        )
    }
}
