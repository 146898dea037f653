import Core

/// The known_hosts entries for one host, and the resulting decision about the key it presents.
struct HostKeyDecision {
    private let endpoint: Endpoint
    private let lookup: HostKeyLookup
    private let ownFile: String
    private let revoked: [KnownHostsEntry]
    /// Entries for the host's own name, `[host]:port` if the port is not 22.
    private let named: [KnownHostsEntry]
    /// Entries for the name without the port; OpenSSH also accepts a key from these, but a different key there does not
    /// count as changed (sshconnect.c, "checking without port identifier").
    private let withoutPort: [KnownHostsEntry]
    /// Certificate authorities, which vt does not support.
    let authorities: [KnownHostsEntry]

    /// The names under which known_hosts files may list the host: its own name and, unless it has an alias, the name
    /// without the port.
    static func names(of endpoint: Endpoint, _ lookup: HostKeyLookup) -> [String] {
        let name = lookup.name(of: endpoint)
        return [name, lookup.alias == nil ? Endpoint(host: endpoint.host).knownHostsName : name]
    }

    /// `entries` are the entries from all files that match one of the `names`, in the order of the files.
    init(_ endpoint: Endpoint, _ lookup: HostKeyLookup, entries: [KnownHostsEntry], ownFile: String) {
        self.endpoint = endpoint
        self.lookup = lookup
        self.ownFile = ownFile
        let names = Self.names(of: endpoint, lookup)
        let (name, bareName) = (names[0], names[1])
        var (revoked, named, withoutPort, authorities) = ([Entry](), [Entry](), [Entry](), [Entry]())
        for entry in entries {
            let isNamed = entry.matches(name)
            guard isNamed || (bareName != name && entry.matches(bareName)) else { continue }
            switch entry.marker {
            case .revoked: revoked.append(entry)
            case .certificateAuthority: if isNamed { authorities.append(entry) }
            case nil: if isNamed { named.append(entry) } else { withoutPort.append(entry) }
            }
        }
        (self.revoked, self.named, self.withoutPort, self.authorities) = (revoked, named, withoutPort, authorities)
    }

    private typealias Entry = KnownHostsEntry

    /// The types of the known keys, without duplicates; those for the host's own name come first.
    var keyTypes: [String] { (named + withoutPort).map(\.key.type).withoutRepetition }

    /// All entries that apply to the host.
    var relevant: [KnownHostsEntry] {
        revoked + named + withoutPort + authorities
    }

    /// How a key relates to the known keys.
    enum Standing {
        case known
        /// The host is unknown.
        case new
        /// Only keys of other types are known.
        case otherTypeKnown
    }

    /// Returns how a key relates to the known keys.
    ///
    /// - Throws: `host-key.changed` when only other keys of its type are known for the host's own name, or the key is
    ///   revoked.
    func standing(of key: HostKey) throws(VTError) -> Standing {
        if let entry = revoked.first(where: { $0.key.blob == key.blob }) {
            throw VTError(
                .hostKeyChanged,
                "the host key of '\(endpoint)' is revoked in '\(entry.file)' line \(entry.line): "
                    + "\(key.type) \(Digests.fingerprint(key.blob))",
                hint: "give the server a new host key, or remove the line if the revocation is wrong: "
                    + "vi +\(entry.line) \(ByteString(entry.file).shellQuoted.repairedText)"
            )
        }
        if named.contains(where: { $0.key.blob == key.blob }) { return .known }
        let others = named.filter { $0.key.type == key.type }
        if !others.isEmpty { throw changed(others, key) }
        if withoutPort.contains(where: { $0.key.blob == key.blob }) { return .known }
        return named.isEmpty ? .new : .otherTypeKnown
    }

    // MARK: - Errors

    private func changed(_ known: [KnownHostsEntry], _ key: HostKey) -> VTError {
        let places = known.map { "\(Digests.fingerprint($0.key.blob)) ('\($0.file)' line \($0.line))" }
        return VTError(
            .hostKeyChanged,
            "the host key of '\(endpoint)' has changed: expected \(key.type) \(places.joined(separator: ", ")), "
                + "received \(Digests.fingerprint(key.blob))",
            hint: "compare the fingerprint with the server's, then: "
                + remedies(for: known, key).joined(separator: " && ")
        )
    }

    /// The error for a key whose type differs from all known ones.
    func otherType(_ key: HostKey) -> VTError {
        VTError(
            .hostKeyUnknown,
            "the \(key.type) host key of '\(endpoint)' is not known (known types: \(namedTypes)): "
                + "received \(Digests.fingerprint(key.blob))",
            hint: trustHint(key)
        )
    }

    private var namedTypes: String {
        Set(named.map(\.key.type)).sorted().joined(separator: " and ")
    }

    /// The error for a new host under the policy `strict`.
    func unknown(_ key: HostKey) -> VTError {
        VTError(
            .hostKeyUnknown,
            "the host key of '\(endpoint)' is not known: \(key.type) \(Digests.fingerprint(key.blob))",
            hint: trustHint(key)
        )
    }

    /// The host as a shell word, with its port, so that it is never interpreted as a profile.
    private var endpointWord: String {
        ByteString(endpoint.description).shellQuoted.repairedText
    }

    /// Whether new keys belong in vt's own file, under the server's own name, as `vt host` commands assume.
    private var isInOwnFile: Bool {
        lookup.userFiles == nil && lookup.alias == nil
    }

    private func trustHint(_ key: HostKey) -> String {
        guard !isInOwnFile else { return trustCommand(key) }
        let file = lookup.userFiles.map { $0.first ?? "/dev/null" } ?? ownFile
        return "add the key to '\(file)', or use StrictHostKeyChecking=accept-new"
    }

    private func trustCommand(_ key: HostKey) -> String {
        "vt host trust \(endpointWord) \(Digests.fingerprint(key.blob))"
    }

    /// The commands that remove the entries that `--replace` does not remove, without duplicates, followed by the
    /// command that trusts the key if it is to be stored in vt's own file.
    private func remedies(for entries: [KnownHostsEntry], _ key: HostKey) -> [String] {
        let name = lookup.name(of: endpoint)
        guard !entries.contains(where: { $0.file == HostKeyLookup.commandName }) else {
            return ["correct what \(HostKeyLookup.commandName) prints"]
        }
        var commands: [String] = []
        for entry in entries where !isInOwnFile || entry.file != ownFile || !entry.isLiteral(for: name) {
            let file = ByteString(entry.file).shellQuoted.repairedText
            let command =
                if !entry.isLiteral(for: name) {
                    "vi +\(entry.line) \(file)"
                } else {
                    "ssh-keygen -f \(file) -R \(ByteString(name).shellQuoted.repairedText)"
                }
            if !commands.contains(command) { commands.append(command) }
        }
        return isInOwnFile ? commands + ["\(trustCommand(key)) --replace"] : commands
    }
}
