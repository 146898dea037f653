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

    private func profileStore() throws(VTError) -> any ProfileStore {
        FileProfileStore(path: try StateDirectories(.process).profiles)
    }
}
