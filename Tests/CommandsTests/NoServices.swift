import Commands
import Core
import Services

/// Services of a machine on which nothing is kept.
struct NoServices: ServiceFactory {
    func libraryVersions() throws(VTError) -> [LibraryVersion] {
        [LibraryVersion("libexample", "1.2.3")]
    }

    func completionService() throws(VTError) -> CompletionService {
        CompletionService(profiles: NoProfiles())
    }
}

struct NoProfiles: ProfileStore {
    func load() throws(VTError) -> [String: Profile] {
        [:]
    }

    func update<Result>(
        _ change: (inout [String: Profile]) throws(VTError) -> Result
    ) throws(VTError) -> Result {
        var profiles: [String: Profile] = [:]
        return try change(&profiles)
    }
}
