import Core
@testable import Services
import Testing

@Suite struct CompletionServiceTests {
    private struct Store: ProfileStore {
        var names: [String]
        var failure: VTError?

        func load() throws(VTError) -> [String: Profile] {
            if let failure { throw failure }
            var profiles: [String: Profile] = [:]
            for name in names {
                var profile = Profile(
                    id: name,
                    name: try ProfileName(name),
                    host: "\(name).example",
                    createdAt: Timestamp(seconds: 0)
                )
                if name == "web-2" { profile.port = 2222 }
                profile.tags = ["all", "tag-\(name)"]
                profiles[name] = profile
            }
            return profiles
        }

        func update<Result>(
            _ change: (inout [String: Profile]) throws(VTError) -> Result
        ) throws(VTError) -> Result {
            var profiles = try load()
            return try change(&profiles)
        }
    }

    private func service(_ store: Store) -> CompletionService {
        CompletionService(
            profiles: store,
            localSessions: { ["web-app", "build"] },
            remoteSessions: { ["web": ["build", "shell"]] },
            knownHosts: { ["[old.example]:22022", "db.example"] },
            keys: { ["deploy", "laptop"] }
        )
    }

    @Test(arguments: [
        ("profiles", "", ["db", "web", "web-2"]), ("profiles", "web", ["web", "web-2"]), ("profiles", "x", []),
        ("targets", "", ["db", "local", "web", "web-2"]), ("targets", "l", ["local"]),
        ("targets", "web,", ["web,db", "web,local", "web,web-2"]), ("targets", "db,web,w", ["db,web,web-2"]),
        ("hosts", "d", ["db.example"]), ("tags", "", ["all", "tag-db", "tag-web", "tag-web-2"]),
        (
            "known-hosts", "",
            ["[old.example]:22022", "[web-2.example]:2222", "db", "db.example", "web", "web-2", "web.example"]
        ),
        ("known-hosts", "[", ["[old.example]:22022", "[web-2.example]:2222"]),
        ("tags", "tag-w", ["tag-web", "tag-web-2"]), ("zebras", "", []),
        ("sessions", "", ["build", "web-app", "web:build", "web:shell"]), ("sessions", "b", ["build"]),
        ("sessions", "web:s", ["web:shell"]), ("keys", "", ["deploy", "laptop"]), ("keys", "l", ["laptop"]),
        ("key-names", "C-pagedo", ["C-PageDown"]),
    ])
    func `candidates start with the prefix and are sorted`(list: String, prefix: String, expected: [String]) {
        let service = service(Store(names: ["web", "db", "web-2"]))
        #expect(service.candidates(list, prefix: prefix) == expected)
    }

    @Test func `an unreadable store produces no candidates`() {
        let broken = service(Store(names: [], failure: VTError(.config, "broken")))
        #expect(broken.candidates("profiles", prefix: "") == [])
    }
}
