import Commands
import Core
import Glibc
import POSIX
import Recording
import SecureShell
import Machine
import Services
import Storage

/// Selects the concrete types for the ports.
struct CompositionRoot: ServiceFactory {
    /// Runs everything on the main thread.
    let executor: LoopExecutor

    var clock: any Clock<Duration> { LoopClock(executor.eventLoop) }

    func makeRunner() -> CommandRunner {
        let console = Console(
            output: StandardStream.output,
            errorOutput: StandardStream.errorOutput,
            environment: .process
        )
        return CommandRunner(console: console, services: self)
    }

    func libraryVersions() throws(VTError) -> [LibraryVersion] {
        [LibraryVersion("libssh2", try SSHLibrary().version)]
    }

    func completionService() throws(VTError) -> CompletionService {
        CompletionService(
            profiles: try profileStore(),
            // Shell completion must not print errors.
            localSessions: { (try? sessionStore().names()) ?? [] },
            remoteSessions: try sessionNameCache(),
            knownHosts: { knownHostNames() }
        )
    }

    func execService(_ diagnostics: any Diagnostics) throws(VTError) -> ExecService {
        ExecService(
            connector: connector(diagnostics),
            local: LocalMachine(
                shell: Account.current()?.shell ?? "/bin/sh",
                environment: Environment.process.words
            ),
            clock: LoopClock(executor.eventLoop),
            observer: ConnectionDetails(diagnostics)
        )
    }

    func connectionTest(_ diagnostics: any Diagnostics) -> ConnectionTest {
        ConnectionTest(connector: connector(diagnostics), clock: LoopClock(executor.eventLoop))
    }

    func remoteVT(_ diagnostics: any Diagnostics) -> RemoteVT {
        RemoteVT(
            connector: connector(diagnostics),
            failures: FailureDocumentReader(),
            clock: LoopClock(executor.eventLoop),
            diagnostics: diagnostics
        )
    }

    func installService(_ diagnostics: any Diagnostics) throws(VTError) -> InstallService {
        InstallService(
            connector: connector(diagnostics),
            digest: LibraryDigest(),
            clock: LoopClock(executor.eventLoop),
            observer: ConnectionDetails(diagnostics)
        )
    }

    func doctorService() throws(VTError) -> DoctorService {
        DoctorService(
            machine: LocalMachineInspector(
                directories: try StateDirectories(.process),
                environment: .process,
                survival: survivalDetector()
            ),
            libraries: try libraryVersions()
        )
    }

    func filmEncoder(_ diagnostics: any Diagnostics) -> any FilmEncoder {
        GIFRenderer(environment: .process, diagnostics: diagnostics)
    }

    func survivalDetector() -> any SurvivalDetector {
        SystemdSurvivalDetector(
            environment: .process,
            user: Account.current()?.name ?? "",
            userID: geteuid()
        )
    }

    func connector(_ diagnostics: any Diagnostics) -> any Connector {
        let executor = executor
        return LazyConnector { () throws(VTError) in
            try SSHConnector(
                library: try SSHLibrary(),
                executor: executor,
                trustStore: try trustStore(diagnostics),
                environment: Environment.process.words
            )
        }
    }
}
