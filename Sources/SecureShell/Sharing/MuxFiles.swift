import Core
import System

/// The state of the files that a connection depends on: keys and known_hosts files.
struct MuxFiles: Equatable {
    private let versions: [FileVersion?]

    init(_ paths: [String]) {
        versions = paths.map { FileVersion(at: $0) }
    }

    /// The paths of the private keys and certificates of a plan and its jump hosts.
    static func keys(of plan: SSHPlan) -> [String] {
        let identities = plan.credentials.identities.map(\.path)
        let own = identities + identities.map(UserCertificate.path(ofKey:)) + plan.credentials.certificates
        guard case .jump(let hop) = plan.route else { return own }
        return own + keys(of: hop)
    }

    /// The paths of the known_hosts files that apply to a plan and its jump hosts.
    static func knownHosts(of plan: SSHPlan, in store: any TrustStore) -> [String] {
        let own = store.files(for: plan.hostKeyLookup)
        guard case .jump(let hop) = plan.route else { return own }
        return own + knownHosts(of: hop, in: store)
    }
}
