import Core
import Recording
import Services

/// Makes the services that commands act through, each when it is first asked for.
package protocol ServiceFactory: Sendable {
    /// The libraries in use, with the versions found at run time.
    func libraryVersions() throws(VTError) -> [LibraryVersion]

    func profileStore() throws(VTError) -> any ProfileStore

    /// `diagnostics` hears of new host keys and, in detail, of every step.
    func execService(_ diagnostics: any Diagnostics) throws(VTError) -> ExecService

    /// `diagnostics` hears of new host keys.
    func connectionTest(_ diagnostics: any Diagnostics) -> ConnectionTest

    /// `diagnostics` hears what the far vt notes, of new host keys and, in detail, of every step.
    func remoteVT(_ diagnostics: any Diagnostics) -> RemoteVT

    /// The sessions of this machine.
    func sessionStore() throws(VTError) -> any SessionStore

    /// The sessions of the server of a profile, or nil for those of this machine; the caller closes it.
    ///
    /// `diagnostics` hears what is met on the way.
    func sessions(on profile: String?, _ diagnostics: any Diagnostics) throws(VTError) -> any SessionSite

    /// `diagnostics` hears of new host keys and, in detail, of every step.
    func installService(_ diagnostics: any Diagnostics) throws(VTError) -> InstallService

    func doctorService() throws(VTError) -> DoctorService

    /// Puts somebody into sessions of this machine, or of the server of a profile; the caller closes the service.
    func attachService(_ profile: String?, _ diagnostics: any Diagnostics) throws(VTError) -> AttachService

    /// `diagnostics` hears what is wrong with a recording.
    func playService(_ diagnostics: any Diagnostics) -> PlayService

    /// Speaks for the sessions of this machine.
    func relayService() throws(VTError) -> RelayService

    /// Keeps screens within recordings.
    func keyframeCache() throws(VTError) -> any DerivedCache

    var clock: any Clock<Duration> { get }

    func survivalDetector() -> any SurvivalDetector

    /// Encodes GIF images.
    func filmEncoder(_ diagnostics: any Diagnostics) -> any FilmEncoder

    func completionService() throws(VTError) -> CompletionService

    func planResolver() throws(VTError) -> PlanResolver

    func profileService() throws(VTError) -> ProfileService

    func sshConfigurationReader() throws(VTError) -> any SSHConfigurationReader

    /// `diagnostics` hears what is met on the way to a server.
    func hostService(_ diagnostics: any Diagnostics) throws(VTError) -> HostService
}
