import Core
import System

/// Caches the names of sessions on servers, in one small file per server, so that shell completion needs no connection.
package struct FileSessionNameCache: Sendable {
    private let directory: String
    private let profiles: any ProfileStore

    /// `directory` is created when the first names are stored; only names of saved profiles are returned.
    package init(directory: String, profiles: any ProfileStore) {
        self.directory = directory
        self.profiles = profiles
    }

    /// The cached names by profile; empty if they cannot be read.
    package func names() -> [String: [String]] {
        guard let profiles = try? profiles.load() else { return [:] }
        var names: [String: [String]] = [:]
        for profile in profiles.keys {
            guard let contents = try? TrustedPath.read(path(of: profile)) else { continue }
            names[profile] = String(decoding: contents, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        return names
    }

    /// Caches the names of a server's sessions; errors are ignored.
    package func remember(_ names: [String], of profile: String) {
        let contents = Array(names.map { $0 + "\n" }.joined().utf8)
        // Writing takes longer than the rest of a call over an open connection, and the names seldom change.
        guard (try? TrustedPath.read(path(of: profile))) != contents else { return }
        // If the file cannot be written, completion is out of date, which is not worth a message.
        try? TrustedPath.make(directory: directory)
        try? FileContents.overwrite(path(of: profile), with: contents)
    }

    private func path(of profile: String) -> String {
        "\(directory)/\(profile)"
    }
}
