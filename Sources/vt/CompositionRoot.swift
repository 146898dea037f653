import Commands
import Core
import Services

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
        throw VTError(.internal, "there is no profile store")
    }
}
