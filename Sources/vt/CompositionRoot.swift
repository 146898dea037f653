import Commands
import Core
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

    var libraryVersions: [LibraryVersion] {
        []
    }

    func completionService() throws(VTError) -> CompletionService {
        CompletionService(profiles: try profileStore())
    }

    private func profileStore() throws(VTError) -> any ProfileStore {
        FileProfileStore(path: try StateDirectories(.process).profiles)
    }
}
