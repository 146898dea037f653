import Core

/// Looks after the host keys that are trusted.
package struct HostService: Sendable {
    private let registry: any HostKeyRegistry
    private let connector: any Connector

    package init(registry: any HostKeyRegistry, connector: any Connector) {
        self.registry = registry
        self.connector = connector
    }

    /// How a key that a server shows relates to what is known.
    package enum Standing: String, Sendable {
        case known
        /// Not known, and no other key of its type is.
        case new
        case changed
        case revoked
    }

    /// A key that a server shows.
    package struct ShownKey: Sendable {
        package var key: HostKey
        package var fingerprint: String
        package var standing: Standing
    }

    /// The known keys; with an endpoint only those that bear upon it.
    package func list(_ endpoint: Endpoint?) throws(VTError) -> [KnownHost] {
        try registry.knownHosts(for: endpoint)
    }

    /// Asks a server for its keys of every type, one connection each; nothing is stored.
    ///
    /// - Throws: What connecting throws; `protocol` when the server has no key of a type that vt can check.
    package func scan(_ plan: ConnectionPlan) async throws(VTError) -> [ShownKey] {
        let known = try registry.knownHosts(for: plan.endpoint)
        var keys: [ShownKey] = []
        for type in try connector.hostKeyTypes() {
            guard let key = try await connector.hostKey(of: plan, type: type) else { continue }
            keys.append(shown(key, known))
        }
        guard !keys.isEmpty else {
            throw VTError(.protocolViolation, "'\(plan.endpoint)' has no host key of a supported type")
        }
        return keys
    }

    /// Trusts the keys that a server shows and that have one of these fingerprints; all of them where `fingerprints` is
    /// nil.
    ///
    /// `replacing` lets them take the place of all others of the host in vt's own file.
    ///
    /// - Throws: `host-key.unknown` when the server shows no such key, `host-key.changed`, what connecting throws.
    package func trust(
        _ plan: ConnectionPlan,
        fingerprints: [String]?,
        replacing: Bool
    ) async throws(VTError) -> [ShownKey] {
        let shown = try await scan(plan)
        let chosen = shown.filter { fingerprints?.contains($0.fingerprint) != false }
        if let missing = fingerprints?.first(where: { text in !shown.contains { $0.fingerprint == text } }) {
            let list = shown.map { "\($0.key.type) \($0.fingerprint)" }.joined(separator: ", ")
            throw VTError(
                .hostKeyUnknown,
                "'\(plan.endpoint)' has no host key '\(missing)'; it has \(list)",
                hint: "vt host scan \(plan.endpoint)"
            )
        }
        // What is refused comes first, so that nothing is stored then.
        let known = try registry.knownHosts(for: plan.endpoint)
        let ordered = chosen.filter { mayBeRefused($0, known) } + chosen.filter { !mayBeRefused($0, known) }
        // The first one makes room for all.
        for (index, item) in ordered.enumerated() {
            _ = try registry.add(item.key, for: plan.endpoint, replacing: replacing && index == 0)
        }
        return chosen
    }

    /// Whether a key may be refused even when it may replace others: what OpenSSH's files say stands.
    private func mayBeRefused(_ item: ShownKey, _ known: [KnownHost]) -> Bool {
        switch item.standing {
        case .revoked: true
        case .changed: known.contains { $0.marker == nil && $0.keyType == item.key.type && !$0.isOwn }
        case .known, .new: false
        }
    }

    /// Removes a host from vt's own file and returns what was removed.
    ///
    /// - Throws: `not-found` when the host is known from another file only, which vt does not write.
    package func forget(_ endpoint: Endpoint) throws(VTError) -> [KnownHost] {
        let removed = try registry.forget(endpoint)
        guard removed.isEmpty else { return removed }
        let name = ByteString(endpoint.knownHostsName).shellQuoted.repairedText
        if let other = try registry.knownHosts(for: endpoint).first(where: { $0.marker == nil && !$0.isOwn }) {
            throw VTError(
                .notFound,
                "'\(endpoint)' is not in vt's known_hosts file, but in '\(other.file)' line \(other.line)",
                hint: "ssh-keygen -f \(ByteString(other.file).shellQuoted.repairedText) -R \(name)"
            )
        }
        return []
    }

    private func shown(_ key: HostKey, _ known: [KnownHost]) -> ShownKey {
        let fingerprint = registry.fingerprint(of: key)
        let standing: Standing =
            if known.contains(where: { $0.marker == .revoked && $0.fingerprint == fingerprint }) {
                .revoked
            } else if known.contains(where: { $0.marker == nil && $0.fingerprint == fingerprint }) {
                .known
            } else if known.contains(where: { $0.marker == nil && $0.keyType == key.type }) {
                .changed
            } else {
                .new
            }
        return ShownKey(key: key, fingerprint: fingerprint, standing: standing)
    }
}
