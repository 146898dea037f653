import Core
import System

/// What makes a shared connection trustworthy: the keys with which it was authenticated, and the host key.
struct MuxTrust {
    let plan: SSHPlan
    private let hostKey: HostKey?
    private let keys: [FileVersion?]
    private let store: any TrustStore
    private var knownHosts: [FileVersion?]

    /// `hostKey` is the key that the server presented, and `keys` the state of the private keys before the connection
    /// was established.
    init(_ plan: SSHPlan, hostKey: HostKey?, keys: [FileVersion?], store: any TrustStore) {
        self.plan = plan
        self.hostKey = hostKey
        self.keys = keys
        self.store = store
        knownHosts = Self.knownHosts(of: plan, in: store)
    }

    /// The state of the private keys and certificates of a plan and its jump hosts.
    static func keyFiles(of plan: SSHPlan) -> [FileVersion?] {
        let paths = (plan.hops + [plan]).map(\.credentials).flatMap { credentials in
            let identities = credentials.identities.map(\.path)
            return identities + identities.flatMap(UserCertificate.paths(ofKey:)) + credentials.certificates
        }
        return paths.map { FileVersion(at: $0) }
    }

    /// The state of the files with known and revoked host keys that apply to a plan and its jump hosts.
    private static func knownHosts(of plan: SSHPlan, in store: any TrustStore) -> [FileVersion?] {
        (plan.hops + [plan]).map(\.hostKeyLookup).flatMap { lookup in
            store.files(for: lookup) + [lookup.revokedKeys].compactMap(\.self)
        }.map { FileVersion(at: $0) }
    }

    /// Returns whether no private key has changed and the host key is still trusted.
    mutating func isCurrent() -> Bool {
        guard Self.keyFiles(of: plan) == keys else { return false }
        let current = Self.knownHosts(of: plan, in: store)
        guard current != knownHosts else { return true }
        // Only the host key of the target is checked again.
        guard case .direct = plan.route, let hostKey, isTrusted(hostKey) else { return false }
        knownHosts = current
        return true
    }

    private func isTrusted(_ key: HostKey) -> Bool {
        if case .pin = plan.hostKeyPolicy, plan.hostKeyLookup.revokedKeys == nil { return true }
        // A key that is no longer known is stored again only by a new connection, which reports it.
        let verdict = try? store.check(key, for: plan.endpoint, policy: .strict, in: plan.hostKeyLookup)
        return verdict == .known
    }
}
