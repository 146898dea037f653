import Core
import Recording
import Services

/// Creates the services used by commands, on demand.
package protocol ServiceFactory: Sendable {
    /// The libraries in use, with their versions at run time.
    func libraryVersions() throws(VTError) -> [LibraryVersion]

    func profileStore() throws(VTError) -> any ProfileStore

    /// `diagnostics` receives notes about new host keys and, as details, every step.
    func execService(_ diagnostics: any Diagnostics) throws(VTError) -> ExecService

    /// `diagnostics` receives notes about new host keys.
    func connectionTest(_ diagnostics: any Diagnostics) -> ConnectionTest

    /// `diagnostics` receives the remote vt's notes, notes about new host keys and, as details, every step.
    func remoteVT(_ diagnostics: any Diagnostics) -> RemoteVT

    /// The sessions of this machine.
    func sessionStore() throws(VTError) -> any SessionStore

    /// The sessions on a profile's server, or nil for those on this machine; the caller must close it.
    ///
    /// `diagnostics` receives notes about connecting.
    func sessions(on profile: String?, _ diagnostics: any Diagnostics) throws(VTError) -> any SessionSite

    /// `diagnostics` receives notes about new host keys and, as details, every step.
    func installService(_ diagnostics: any Diagnostics) throws(VTError) -> InstallService

    func doctorService() throws(VTError) -> DoctorService

    /// Attaches to sessions on this machine, or on a profile's server; the caller must close the service.
    func attachService(_ profile: String?, _ diagnostics: any Diagnostics) throws(VTError) -> AttachService

    /// `diagnostics` receives notes about errors in a recording.
    func playService(_ diagnostics: any Diagnostics) -> PlayService

    /// Relays frames for the sessions on this machine.
    func relayService() throws(VTError) -> RelayService

    /// The cache for keyframes of recordings.
    func keyframeCache() throws(VTError) -> any DerivedCache

    var clock: any Clock<Duration> { get }

    func survivalDetector() -> any SurvivalDetector

    /// Encodes GIF images.
    func filmEncoder(_ diagnostics: any Diagnostics) -> any FilmEncoder

    func completionService() throws(VTError) -> CompletionService

    func planResolver() throws(VTError) -> PlanResolver

    func profileService() throws(VTError) -> ProfileService

    func sshConfigurationReader() throws(VTError) -> any SSHConfigurationReader

    /// `diagnostics` receives notes about connecting to a server.
    func hostService(_ diagnostics: any Diagnostics) throws(VTError) -> HostService
}
