import Core

/// Manages the trusted host keys.
package struct HostService: Sendable {
    private let registry: any TrustStore
    private let connector: any Connector

    package init(_ world: World) throws(VTError) {
        registry = try world.hostKeys(world.diagnostics)
        connector = world.makeConnector()
    }

    /// How a server's key relates to the known keys.
    package enum Standing: String, CaseIterable, JSONValue, Sendable {
        case known
        /// The key is unknown, and no other key of its type is known.
        case new
        case changed
        case revoked
    }

    /// A key presented by a server.
    package struct ShownKey: Sendable {
        package var key: HostKey
        package var fingerprint: String
        package var standing: Standing
    }

    /// The known keys; with an endpoint, only those that apply to it.
    package func list(_ endpoint: Endpoint?, in lookup: HostKeyLookup = HostKeyLookup()) throws(VTError) -> [KnownHost]
    {
        try registry.knownHosts(for: endpoint, in: lookup)
    }

    /// Requests a server's key of every type, with a separate connection for each; nothing is stored.
    ///
    /// The keys are compared with those that a connection to the server would accept.
    ///
    /// - Throws: Connection errors; `protocol` when the server has no host key of a supported type.
    package func scan(_ plan: SSHPlan) async throws(VTError) -> [ShownKey] {
        var keys: [HostKey] = []
        for type in try connector.hostKeyTypes() {
            if let key = try await connector.hostKey(of: plan, type: type) { keys.append(key) }
        }
        guard !keys.isEmpty else {
            throw VTError(.protocolViolation, "'\(plan.endpoint)' has no host key of a supported type")
        }
        if case .pin(let fingerprint) = plan.hostKeyPolicy { return shown(keys, pinned: fingerprint) }
        let known = try registry.knownHosts(for: plan.endpoint, in: plan.hostKeyLookup)
        return keys.map { shown($0, known) }
    }

    /// Trusts the server's keys with these fingerprints, or all of its keys if `fingerprints` is nil.
    ///
    /// With `replacing`, the trusted keys replace all other keys of the host in vt's own file.
    ///
    /// - Throws: `host-key.unknown` when a fingerprint matches none of the server's keys; `host-key.changed`; `usage`
    ///   when the profile pins another key; connection errors.
    package func trust(
        _ plan: SSHPlan,
        fingerprints: [String]?,
        replacing: Bool
    ) async throws(VTError) -> [ShownKey] {
        let shown = try await scan(plan)
        let chosen = shown.filter { fingerprints?.contains($0.fingerprint) != false }
        if let missing = fingerprints?.first(where: { text in !shown.contains { $0.fingerprint == text } }) {
            let list = shown.map { "\($0.key.type) \($0.fingerprint)" }.joined(separator: ", ")
            throw VTError(
                .hostKeyUnknown,
                "no host key of '\(plan.endpoint)' has the fingerprint '\(missing)'; its keys are \(list)",
                hint: "to see the keys that the server offers, use 'vt host scan \(plan.endpoint)'"
            )
        }
        if case .pin(let fingerprint) = plan.hostKeyPolicy, let other = chosen.first(where: { $0.standing != .known }) {
            throw VTError(
                .usage,
                "profile '\(plan.name)' trusts only the key \(fingerprint)",
                hint: "to trust another key, use 'vt profile edit \(plan.name) --host-key \(other.fingerprint)'"
            )
        }
        // Keys that might be rejected come first, so that nothing is stored if one of them is rejected.
        let known = try registry.knownHosts(for: plan.endpoint, in: plan.hostKeyLookup)
        let ordered = chosen.filter { mayBeRejected($0, known) } + chosen.filter { !mayBeRejected($0, known) }
        // Only the first call replaces keys, because another one would remove the keys just added.
        for (index, item) in ordered.enumerated() {
            let isReplacing = replacing && index == 0
            _ = try registry.add(item.key, for: plan.endpoint, in: plan.hostKeyLookup, replacing: isReplacing)
        }
        return chosen
    }

    /// Whether a key might be rejected even with `replacing`, because of an entry in OpenSSH's files.
    private func mayBeRejected(_ item: ShownKey, _ known: [KnownHost]) -> Bool {
        switch item.standing {
        case .revoked: true
        case .changed: known.contains { $0.marker == nil && $0.keyType == item.key.type && !$0.isOwn }
        case .known, .new: false
        }
    }

    /// Removes a host from vt's own file and returns the removed keys or, with `isDryRun`, the keys that would be
    /// removed.
    ///
    /// - Throws: `not-found` when the host is known only from another file, which vt does not write.
    package func forget(_ endpoint: Endpoint, isDryRun: Bool = false) throws(VTError) -> [KnownHost] {
        let removed = try registry.forget(endpoint, isDryRun: isDryRun)
        guard removed.isEmpty else { return removed }
        let name = ByteString(endpoint.knownHostsName).shellQuoted.repairedText
        if let other = try list(endpoint).first(where: { $0.marker == nil && !$0.isOwn }) {
            throw VTError(
                .notFound,
                "'\(endpoint)' is not in vt's known_hosts file, but in '\(other.file)' line \(other.line)",
                hint: "to remove it there, run: ssh-keygen -f "
                    + "\(ByteString(other.file).shellQuoted.repairedText) -R \(name)"
            )
        }
        return []
    }

    /// Under a pinned key, no other key of its type is accepted; if it is not among the keys, the server has changed it.
    private func shown(_ keys: [HostKey], pinned fingerprint: String) -> [ShownKey] {
        let type = keys.first { registry.fingerprint(of: $0) == fingerprint }?.type
        return keys.map { key in
            let standing: Standing = type == nil ? .changed : key.type == type ? .known : .new
            return ShownKey(key: key, fingerprint: registry.fingerprint(of: key), standing: standing)
        }
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
