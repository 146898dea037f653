import Commands
import Core
import SecureShell
import Services

/// The sessions, and what is needed to keep them.
extension CompositionRoot {
    func sessionHost() throws(VTError) -> any SessionHost {
        throw VTError(.internal, "this vt keeps no sessions")
    }

    func sessions(on profile: String?, _ diagnostics: any Diagnostics) throws(VTError) -> any SessionSite {
        guard profile == nil else { throw VTError(.internal, "sessions on servers are not reached yet") }
        return LocalSessions(
            host: try sessionHost(),
            survival: survivalDetector(),
            environment: .process,
            account: .current(),
            clock: LoopClock(executor.eventLoop),
            version: Release.version,
            diagnostics: diagnostics
        )
    }
}
