import Commands
import Core
import Recording
import Services
import Terminal

/// Services of a machine without any data.
struct NoServices: ServiceFactory {
    func libraryVersions() throws(VTError) -> [LibraryVersion] {
        [LibraryVersion("libexample", "1.2.3")]
    }

    func keyframeCache() throws(VTError) -> any DerivedCache {
        throw Self.nothing
    }

    func sessionStore() throws(VTError) -> any SessionStore {
        throw Self.nothing
    }

    func sessions(on profile: String?, _ diagnostics: any Diagnostics) throws(VTError) -> any SessionSite {
        throw Self.nothing
    }

    func completionService() throws(VTError) -> CompletionService {
        CompletionService(
            profiles: NoProfiles(),
            localSessions: { [] },
            remoteSessions: NoSessionNames(),
            knownHosts: { [] }
        )
    }

    func profileStore() throws(VTError) -> any ProfileStore {
        NoProfiles()
    }

    func execService(_ diagnostics: any Diagnostics) throws(VTError) -> ExecService {
        throw Self.nothing
    }

    func connectionTest(_ diagnostics: any Diagnostics) -> ConnectionTest {
        ConnectionTest(connector: NoConnector(), clock: ContinuousClock())
    }

    func remoteVT(_ diagnostics: any Diagnostics) -> RemoteVT {
        RemoteVT(
            connector: NoConnector(),
            failures: FailureDocumentReader(),
            clock: ContinuousClock(),
            diagnostics: diagnostics
        )
    }

    func installService(_ diagnostics: any Diagnostics) throws(VTError) -> InstallService {
        throw Self.nothing
    }

    func doctorService() throws(VTError) -> DoctorService {
        throw Self.nothing
    }

    func filmEncoder(_ diagnostics: any Diagnostics) -> any FilmEncoder {
        NoFilmEncoder()
    }

    func survivalDetector() -> any SurvivalDetector {
        CertainSurvival()
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

    func attachService(_ profile: String?, _ diagnostics: any Diagnostics) throws(VTError) -> AttachService {
        throw Self.nothing
    }

    func playService(_ diagnostics: any Diagnostics) -> PlayService {
        PlayService(clock: ContinuousClock(), diagnostics: diagnostics)
    }

    func relayService() throws(VTError) -> RelayService {
        throw Self.nothing
    }

    var clock: any Clock<Duration> { ContinuousClock() }

    private static let nothing = VTError(.internal, "there is no such service here")
}

struct CertainSurvival: SurvivalDetector {
    func detect() async -> Survival {
        Survival(.unaffected, reason: "nobody logs in here")
    }
}

struct NoSessionNames: SessionNameCache {
    func names() -> [String: [String]] { [:] }

    func remember(_ names: [String], of profile: String) {}
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

struct NoConnector: Connector {
    func connect(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        throw VTError(.hostUnreachable, "there is no network here")
    }

    func hostKey(of plan: ConnectionPlan, type: String) async throws(VTError) -> HostKey? { nil }

    func hostKeyTypes() -> [String] { [] }

    func close() async {}
}

private struct NoFilmEncoder: FilmEncoder {
    func image(
        of film: Film,
        _ source: RecordingFile,
        theme: Theme,
        isLooping: Bool
    ) async throws(VTError) -> [UInt8] {
        throw VTError(.internal, "no encoder")
    }
}
