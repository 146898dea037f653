import Commands
import Core
import SecureShell
import Services
import Storage

/// Names the concrete types behind the ports.
struct CompositionRoot: ServiceFactory {
    static func makeRunner() -> CommandRunner {
        let console = Console(
            output: StandardStream.output,
            errorOutput: StandardStream.errorOutput,
            environment: .process
        )
        return CommandRunner(console: console, services: CompositionRoot())
    }

    func libraryVersions() throws(VTError) -> [LibraryVersion] {
        [LibraryVersion("libssh2", try SSHLibrary().version)]
    }

    func completionService() throws(VTError) -> CompletionService {
        CompletionService(profiles: try profileStore())
    }

    func connector(_ diagnostics: any Diagnostics) -> any Connector {
        NoConnector()
    }
}

/// NEEDSWORK: stands in until the event loop is wired.
private struct NoConnector: Connector {
    let hostKeyTypes: [String] = []

    func connect(_ plan: ConnectionPlan, observer: any ConnectionObserver) async throws(VTError) -> any RemoteHost {
        throw VTError(.internal, "connecting is not wired yet")
    }

    func hostKey(of plan: ConnectionPlan, type: String) async throws(VTError) -> HostKey? { nil }

}
