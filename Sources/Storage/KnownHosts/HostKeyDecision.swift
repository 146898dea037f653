import Core

/// What the known_hosts files say about one host, and what follows for the key that it shows.
struct HostKeyDecision {
    private let endpoint: Endpoint
    private let ownFile: String
    private let revoked: [KnownHostsEntry]
    /// Under the host's own name, `[host]:port` where the port is not 22.
    private let named: [KnownHostsEntry]
    /// Under the name without the port; OpenSSH takes a key from there too, but never calls one changed by it
    /// (sshconnect.c, "checking without port identifier").
    private let withoutPort: [KnownHostsEntry]
    /// Certificate authorities, which vt cannot use.
    let authorities: [KnownHostsEntry]

    /// The names under which the files may know the host.
    static func names(of endpoint: Endpoint) -> [String] {
        [endpoint.knownHostsName, Endpoint(host: endpoint.host).knownHostsName]
    }

    /// `entries` are those of all files that match one of the `names`, vt's own first.
    init(_ endpoint: Endpoint, entries: [KnownHostsEntry], ownFile: String) {
        self.endpoint = endpoint
        self.ownFile = ownFile
        let names = Self.names(of: endpoint)
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

    /// The types of the known keys without repetition, those under the host's own name first.
    var keyTypes: [String] {
        var seen: Set<String> = []
        return (named + withoutPort).map(\.key.type).filter { seen.insert($0).inserted }
    }

    /// Every entry that bears upon the host.
    var relevant: [KnownHostsEntry] {
        revoked + named + withoutPort + authorities
    }

    /// How a key relates to what is known.
    enum Standing {
        case known
        /// Nothing is known about the host.
        case new
        /// Keys are known, but all of other types.
        case otherTypeKnown
    }

    /// - Throws: `host-key.changed`, or `host-key.unknown` for a revoked key.
    func standing(of key: HostKey) throws(VTError) -> Standing {
        if let entry = revoked.first(where: { $0.key.blob == key.blob }) {
            throw VTError(
                .hostKeyUnknown,
                "the host key of '\(endpoint)' is revoked by '\(entry.file)' line \(entry.line): "
                    + "\(key.type) \(Digests.fingerprint(key.blob))",
                hint: "vt host scan \(endpointWord)"
            )
        }
        if named.contains(where: { $0.key.blob == key.blob }) { return .known }
        let others = named.filter { $0.key.type == key.type }
        if !others.isEmpty { throw changed(others, key) }
        if withoutPort.contains(where: { $0.key.blob == key.blob }) { return .known }
        return named.isEmpty ? .new : .otherTypeKnown
    }

    // MARK: - Refusals

    private func changed(_ known: [KnownHostsEntry], _ key: HostKey) -> VTError {
        let places = known.map { "\(Digests.fingerprint($0.key.blob)) ('\($0.file)' line \($0.line))" }
        return VTError(
            .hostKeyChanged,
            "the host key of '\(endpoint)' has changed: expected \(key.type) \(places.joined(separator: ", ")), "
                + "received \(Digests.fingerprint(key.blob))",
            hint: "compare the fingerprint with that of the server, then: "
                + remedies(for: known, key).joined(separator: " && ")
        )
    }

    /// The refusal of a key of another type than all known ones.
    func otherType(_ key: HostKey) -> VTError {
        VTError(
            .hostKeyUnknown,
            "the \(key.type) host key of '\(endpoint)' is not known, only \(namedTypes): "
                + "received \(Digests.fingerprint(key.blob))",
            hint: trustCommand(key)
        )
    }

    private var namedTypes: String {
        Set(named.map(\.key.type)).sorted().joined(separator: " and ")
    }

    /// The refusal of a new host under the policy `strict`.
    func unknown(_ key: HostKey) -> VTError {
        VTError(
            .hostKeyUnknown,
            "the host key of '\(endpoint)' is not known: \(key.type) \(Digests.fingerprint(key.blob))",
            hint: trustCommand(key)
        )
    }

    /// The host as a word for a shell, with its port, so that it is never taken for a profile.
    private var endpointWord: String {
        ByteString(endpoint.description).shellQuoted.repairedText
    }

    private func trustCommand(_ key: HostKey) -> String {
        "vt host trust \(endpointWord) \(Digests.fingerprint(key.blob))"
    }

    /// The commands that remove the entries which vt does not write, each once, and then trust the key instead.
    private func remedies(for entries: [KnownHostsEntry], _ key: HostKey) -> [String] {
        var commands: [String] = []
        for entry in entries where entry.file != ownFile || !entry.isLiteral(for: endpoint.knownHostsName) {
            let file = ByteString(entry.file).shellQuoted.repairedText
            let name = ByteString(endpoint.knownHostsName).shellQuoted.repairedText
            let command =
                if !entry.isLiteral(for: endpoint.knownHostsName) {
                    "vi +\(entry.line) \(file)"
                } else {
                    "ssh-keygen -f \(file) -R \(name)"
                }
            if !commands.contains(command) { commands.append(command) }
        }
        return commands + ["\(trustCommand(key)) --replace"]
    }
}
