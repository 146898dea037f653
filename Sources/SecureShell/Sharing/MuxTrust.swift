import Core

/// What makes a shared connection trustworthy: the keys with which it was authenticated, and the host key.
struct MuxTrust {
    let plan: SSHPlan
    private let hostKey: HostKey?
    private let keys: MuxFiles
    private let store: any TrustStore
    private let trustPaths: [String]
    private var trustFiles: MuxFiles

    /// `hostKey` is the key that the server presented, and `keys` the state of the private keys before the connection
    /// was established.
    init(_ plan: SSHPlan, hostKey: HostKey?, keys: MuxFiles, store: any TrustStore) {
        self.plan = plan
        self.hostKey = hostKey
        self.keys = keys
        self.store = store
        trustPaths = MuxFiles.knownHosts(of: plan, in: store)
        trustFiles = MuxFiles(trustPaths)
    }

    /// Returns whether no private key has changed and the host key is still trusted.
    mutating func isCurrent() -> Bool {
        guard MuxFiles(MuxFiles.keys(of: plan)) == keys else { return false }
        let current = MuxFiles(trustPaths)
        guard current != trustFiles else { return true }
        // Only the host key of the target is checked again.
        guard case .direct = plan.route, let hostKey, isTrusted(hostKey) else { return false }
        trustFiles = current
        return true
    }

    private func isTrusted(_ key: HostKey) -> Bool {
        if case .pin = plan.hostKeyPolicy { return true }
        // A key that is no longer known is stored again only by a new connection, which reports it.
        let verdict = try? store.check(key, for: plan.endpoint, policy: .strict, in: plan.hostKeyLookup)
        return verdict == .known
    }
}
