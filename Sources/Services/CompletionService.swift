import Core
import Terminal

/// Lists completion candidates for the kinds of words that only vt can list.
///
/// It reads only local files and never fails, because shell completion must not print errors.
package struct CompletionService: Sendable {
    private let profiles: any ProfileStore
    private let localSessions: @Sendable () -> [String]
    private let remoteSessions: @Sendable () -> [String: [String]]
    private let knownHosts: @Sendable () -> [String]
    private let keys: @Sendable () -> [String]

    /// `localSessions` returns the names of local sessions, and `remoteSessions` the cached names by profile; `knownHosts` returns the host names in vt's own known_hosts
    /// file, as `[HOST]:PORT` if the port is not 22; `keys` returns the names of keys.
    package init(
        profiles: any ProfileStore,
        localSessions: @escaping @Sendable () -> [String],
        remoteSessions: @escaping @Sendable () -> [String: [String]],
        knownHosts: @escaping @Sendable () -> [String],
        keys: @escaping @Sendable () -> [String]
    ) {
        self.profiles = profiles
        self.localSessions = localSessions
        self.remoteSessions = remoteSessions
        self.knownHosts = knownHosts
        self.keys = keys
    }

    /// Returns the candidates that start with `prefix`, sorted; none for an unknown list.
    package func candidates(_ list: String, prefix: String) -> [String] {
        if list == "sessions" { return sessions(prefix) }
        if list == "keys" { return matching(keys(), prefix) }
        if list == "key-names" { return Key.names(completing: prefix) }
        // An unreadable store yields no candidates; all other commands report the error.
        guard let profiles = try? profiles.load() else { return [] }
        switch list {
        case "profiles": return matching(profiles.keys, prefix)
        case "hosts": return matching(profiles.values.map(\.host), prefix)
        case "known-hosts":
            let servers = profiles.values.map { Endpoint(host: $0.host, port: $0.port).knownHostsName }
            return matching(profiles.keys + servers + knownHosts(), prefix)
        case "tags": return matching(profiles.values.flatMap(\.tags), prefix)
        case "targets": return targets(profiles.keys + [ProfileName.local], prefix)
        default: return []
        }
    }

    /// Completes the names of local sessions, and of remote sessions whose names are cached.
    private func sessions(_ prefix: String) -> [String] {
        let remote = remoteSessions().flatMap { profile, names in names.map { "\(profile):\($0)" } }
        return matching(localSessions() + remote, prefix)
    }

    /// Completes the last of several comma-separated targets, omitting those already given.
    private func targets(_ names: [String], _ prefix: String) -> [String] {
        let parts = prefix.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let former = Set(parts.dropLast())
        let head = parts.dropLast().map { $0 + "," }.joined()
        return matching(names.filter { !former.contains($0) }, parts.last ?? "").map { head + $0 }
    }

    private func matching(_ names: some Sequence<String>, _ prefix: String) -> [String] {
        Set(names).filter { $0.hasPrefix(prefix) && !$0.isEmpty }.sorted()
    }
}
