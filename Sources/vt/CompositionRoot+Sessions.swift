import Commands
import Core
import POSIX
import SecureShell
import Machine
import Services
import SessionHost
import Terminal

/// The sessions and their dependencies.
extension CompositionRoot {
    func sessionStore() throws(VTError) -> any SessionStore {
        FileSessionStore(
            directory: SessionDirectory(path: try StateDirectories(.process).sessions),
            program: OwnProgram.path,
            version: Release.version
        )
    }

    /// Returns the session holder that this process should run if its first argument is the hidden verb.
    ///
    /// A holder runs as long as its session and needs none of the commands' dependencies, so it starts before they are
    /// created.
    static func holder(_ arguments: [ByteString]) -> SessionHolder? {
        arguments.first == SessionHolder.verb ? SessionHolder(screens: EmulatorScreen()) : nil
    }

    func sessions(on profile: String?, _ diagnostics: any Diagnostics) throws(VTError) -> any SessionSite {
        if let profile { return try remoteSessions(on: profile, diagnostics) }
        return LocalSessions(
            host: try sessionStore(),
            survival: survivalDetector(),
            environment: .process,
            account: .current(),
            clock: LoopClock(executor.eventLoop),
            version: Release.version,
            diagnostics: diagnostics
        )
    }

    func attachService(_ profile: String?, _ diagnostics: any Diagnostics) throws(VTError) -> AttachService {
        AttachService(
            route: try sessionRoute(profile, diagnostics),
            clock: LoopClock(executor.eventLoop),
            version: Release.version
        )
    }

    func playService(_ diagnostics: any Diagnostics) -> PlayService {
        PlayService(clock: LoopClock(executor.eventLoop), diagnostics: diagnostics)
    }

    func relayService() throws(VTError) -> RelayService {
        RelayService(host: try sessionStore(), version: Release.version)
    }

    private func sessionRoute(_ profile: String?, _ diagnostics: any Diagnostics) throws(VTError) -> any SessionRoute {
        guard let profile,
            let (_, plan) = try planResolver().resolve(try Target(parsing: profile), options: PlanOptions())
        else { return LocalRoute(host: try sessionStore(), version: Release.version) }
        return RemoteRoute(remoteVT(diagnostics), plan: plan)
    }

    private func remoteSessions(on name: String, _ diagnostics: any Diagnostics) throws(VTError) -> RemoteSessions {
        let target = try Target(parsing: name)
        guard let (profile, plan) = try planResolver().resolve(target, options: PlanOptions()) else {
            throw VTError(.internal, "'\(name)' is this machine")
        }
        return RemoteSessions(
            plan: plan,
            profile: profile,
            remote: remoteVT(diagnostics),
            cache: try sessionNameCache(),
            clock: LoopClock(executor.eventLoop),
            diagnostics: diagnostics
        )
    }
}
