import Core

/// What makes a shared connection trustworthy: the keys with which it was authenticated, and the host key.
struct KeeperTrust {
    let plan: ConnectionPlan
    private let hostKey: HostKey?
    private let keys: KeeperFiles
    private let trustPaths: [String]
    private var trustFiles: KeeperFiles

    /// `hostKey` is the key that the server presented, `keys` the state of the private keys before the connection was
    /// established, and `trustFiles` the known_hosts files that all connections read.
    init(_ plan: ConnectionPlan, hostKey: HostKey?, keys: KeeperFiles, trustFiles: [String]) {
        self.plan = plan
        self.hostKey = hostKey
        self.keys = keys
        trustPaths = trustFiles + KeeperFiles.knownHosts(of: plan)
        self.trustFiles = KeeperFiles(trustPaths)
    }

    /// Whether no private key has changed and the host key is still trusted.
    mutating func isCurrent(in store: any TrustStore) -> Bool {
        guard KeeperFiles(KeeperFiles.keys(of: plan)) == keys else { return false }
        let current = KeeperFiles(trustPaths)
        guard current != trustFiles else { return true }
        // Only the host key of the target is checked again.
        guard case .direct = plan.route, let hostKey, isTrusted(hostKey, in: store) else { return false }
        trustFiles = current
        return true
    }

    private func isTrusted(_ key: HostKey, in store: any TrustStore) -> Bool {
        if case .pin = plan.hostKeyPolicy { return true }
        // A key that is no longer known is stored again only by a new connection, which reports it.
        let verdict = try? store.check(key, for: plan.endpoint, policy: .strict, extraFile: plan.knownHosts)
        return verdict == .known
    }
}
