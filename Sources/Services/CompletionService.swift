import Core
import Storage
import System
import Terminal

/// Lists completion candidates for the kinds of words that only vt can list.
///
/// It reads only local files and never fails, because shell completion must not print errors.
package struct CompletionService: Sendable {
    let profiles: any ProfileStore
    /// The names of the sessions of this machine.
    let localSessions: @Sendable () -> [String]
    /// The cached names of sessions by profile.
    let remoteSessions: @Sendable () -> [String: [String]]
    /// The host names in vt's own known_hosts file, as `[HOST]:PORT` if the port is not 22.
    let knownHosts: @Sendable () -> [String]
    /// The names of keys.
    let keys: @Sendable () -> [String]

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

extension CompletionService {
    /// What cannot be read is not completed.
    package init(_ world: World) throws(VTError) {
        let cache = try FileSessionNameCache(world)
        self.init(
            profiles: try world.profiles(),
            localSessions: { (try? world.sessions().names()) ?? [] },
            remoteSessions: { cache.names() },
            knownHosts: { Self.knownHosts(in: world) },
            keys: { (try? FileKeyStore(directory: world.directories().keys).names()) ?? [] }
        )
    }

    /// The hosts whose names denote a single host.
    private static func knownHosts(in world: World) -> [String] {
        guard let hosts = try? world.hostKeys(SilentDiagnostics()).knownHosts(for: nil, in: HostKeyLookup())
        else { return [] }
        let special = Set("*?!|")
        return hosts.filter { $0.isOwn && $0.marker == nil }.flatMap { $0.names.split(separator: ",") }
            .filter { !$0.contains(where: special.contains) }.map { $0.lowercased() }
    }
}

/// Discards all messages.
private struct SilentDiagnostics: Diagnostics {
    func note(_ message: String) {}

    func detail(_ message: @autoclosure () -> String) {}
}
