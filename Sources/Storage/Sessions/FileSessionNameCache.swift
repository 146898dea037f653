import Core
import POSIX

/// Remembers session names in one small file for each server.
package struct FileSessionNameCache: SessionNameCache {
    private let directory: String
    private let profiles: any ProfileStore

    /// `directory` is made when there is something to remember; only the names of saved profiles are told.
    package init(directory: String, profiles: any ProfileStore) {
        self.directory = directory
        self.profiles = profiles
    }

    package func names() -> [String: [String]] {
        guard let profiles = try? profiles.load() else { return [:] }
        var names: [String: [String]] = [:]
        for profile in profiles.keys {
            guard let contents = try? OwnPath.read(path(of: profile)) else { continue }
            names[profile] = String(decoding: contents, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        return names
    }

    package func remember(_ names: [String], of profile: String) {
        // A file that cannot be written leaves completion as it was, which is no reason to say anything.
        try? FileContents.makeDirectory(directory)
        try? FileContents.overwrite(path(of: profile), with: Array(names.map { $0 + "\n" }.joined().utf8))
    }

    private func path(of profile: String) -> String {
        "\(directory)/\(profile)"
    }
}
