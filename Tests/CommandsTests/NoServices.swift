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

    func profileStore() throws(VTError) -> any ProfileStore {
        NoProfiles()
    }

    func execService(_ diagnostics: any Diagnostics) throws(VTError) -> ExecService {
        throw Self.nothing
    }

    func planResolver() throws(VTError) -> PlanResolver {
        throw Self.nothing
    }

    func profileService() throws(VTError) -> ProfileService {
        throw Self.nothing
    }

    func sshConfigurationReader() throws(VTError) -> any SSHConfigurationReader {
        throw Self.nothing
    }

    func hostService(_ diagnostics: any Diagnostics) throws(VTError) -> HostService {
        throw Self.nothing
    }

    private static let nothing = VTError(.internal, "there is no such service here")
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
