import Core
import Glibc
import POSIX

/// The state of the files that a connection depends on: keys and known_hosts files.
struct KeeperFiles: Equatable {
    /// What changes when a file is written or replaced.
    private struct Version: Equatable {
        var device: dev_t
        var number: ino_t
        var size: off_t
        var seconds: time_t
        var nanoseconds: Int
    }

    private let versions: [Version?]

    init(_ paths: [String]) {
        versions = paths.map { path in
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return nil }
            return Version(
                device: status.st_dev,
                number: status.st_ino,
                size: status.st_size,
                seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec
            )
        }
    }

    /// The paths of the private keys of a plan and its jump hosts.
    static func keys(of plan: ConnectionPlan) -> [String] {
        let own = plan.credentials.identities.map(\.path)
        guard case .jump(let hop) = plan.route else { return own }
        return own + keys(of: hop)
    }

    /// The paths of the known_hosts files that apply to a plan and its jump hosts.
    static func knownHosts(of plan: ConnectionPlan, in store: any TrustStore) -> [String] {
        let own = store.files(for: plan.hostKeyLookup)
        guard case .jump(let hop) = plan.route else { return own }
        return own + knownHosts(of: hop, in: store)
    }
}
