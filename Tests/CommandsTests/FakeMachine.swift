import Commands
import Core
import CoreTestSupport
import Machine
import Recording
import Services
import System
import Terminal

/// The dependencies of commands, simulated in memory.
struct FakeMachine {
    var profiles = MemoryProfileStore()
    var secrets = MemorySecretStore()
    var hostKeys = MemoryHostKeys()
    var connector: any Connector = FakeServer(keys: [])
    var sessions = FakeSessionStore()
    /// Runs the programs of `vt exec local`.
    var program: FakeProgram.Body = { _, _ throws(VTError) in .exited(0) }

    var dependencies: Dependencies {
        let machine = self
        return Dependencies(
            clock: ContinuousClock(),
            account: { Account(name: "ann", home: "/home/ann") },
            directories: { () throws(VTError) in throw Self.missing },
            profiles: { machine.profiles },
            secrets: { machine.secrets },
            secretReader: { NoSecrets() },
            keys: { () throws(VTError) in throw Self.missing },
            keySource: NoKeySource(),
            hostKeys: { _ in machine.hostKeys },
            sshConfiguration: { () throws(VTError) in throw Self.missing },
            connections: { _ in NoConnections() },
            connector: { _ in machine.connector },
            localMachine: { FakeProgram(body: machine.program) },
            foreground: { FakeForeground() },
            localFiles: LocalFileSystem(),
            background: { NoBackground() },
            sessions: { machine.sessions },
            sessionNames: { NoSessionNames() },
            survival: { CertainSurvival() },
            filmEncoder: { _ in NoFilmEncoder() },
            digest: NoDigest(),
            libraries: { [LibraryVersion("libexample", "1.2.3")] },
            algorithms: { [.cipher: AlgorithmList(standard: ["strong"], supported: ["strong", "weak"])] },
            inspector: { () throws(VTError) in throw Self.missing }
        )
    }

    private static let missing = VTError(.internal, "the test does not provide this dependency")
}

/// A machine that runs a closure as its program.
struct FakeProgram: CommandHost {
    typealias Body = @Sendable (ExecRequest, ProgramStreams) async throws(VTError) -> ExitStatus

    let body: Body

    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        try await body(request, streams)
    }
}

private struct CertainSurvival: SurvivalDetector {
    func detect() async -> Survival {
        Survival(.unaffected, reason: "no login session")
    }
}

private struct NoConnections: ConnectionRegistry {
    func connections() -> [SharedConnection] { [] }

    func close(where isSelected: @escaping @Sendable (SharedConnection) -> Bool) -> [SharedConnection] { [] }
}

private struct NoSessionNames: SessionNameCache {
    func names() -> [String: [String]] { [:] }

    func remember(_ names: [String], of profile: String) {}
}

private struct NoDigest: ContentDigest, DigestSink {
    func sha256(_ bytes: [UInt8]) -> [UInt8] { [] }

    func makeSHA256() -> any DigestSink { self }

    func write(_ bytes: [UInt8]) async throws(VTError) {}

    func finish() -> [UInt8] { [] }
}

private struct NoKeySource: KeyPairSource {
    func generate(_ kind: KeyKind, comment: String) throws(VTError) -> KeyPair {
        throw VTError(.system, "no keys")
    }

    func parse(_ contents: [UInt8], name: String, comment: String) throws(VTError) -> KeyPair {
        throw VTError(.dataInvalid, "no keys")
    }
}

private struct NoSecrets: SecretReading {
    func secret(
        _ purpose: SecretKey.Purpose,
        from source: SecretSource,
        of profile: Profile?
    ) async throws(VTError) -> Secret? { nil }
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

/// A machine on which nothing can continue in the background.
private struct FakeForeground: ForegroundRunner {
    func run(_ request: ExecRequest) async throws(VTError) -> ExitStatus { .exited(0) }
}

private struct NoBackground: BackgroundRunner {
    func start(_ arguments: [ByteString]) async throws(VTError) -> ExitStatus? {
        throw VTError(.system, "cannot start a process")
    }

    func reportReady(keepsOutput: Bool) throws(VTError) {}
}
