import Commands
import Core
import CoreTestSupport
import Speech
import System

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
            // Nothing can be read or created in these directories.
            directories: { () throws(VTError) in try StateDirectories(Environment(["HOME": "/dev/null"])) },
            profiles: { machine.profiles },
            secrets: { machine.secrets },
            keySource: NoKeySource(),
            hostKeys: { _ in machine.hostKeys },
            connections: { _ in NoConnections() },
            connector: { _ in machine.connector },
            localMachine: { FakeProgram(body: machine.program) },
            http: { fatalError("a test does not use the network") },
            speechEngine: { _ in NoEngine() },
            sessions: { machine.sessions },
            web: { NoWebServer() },
            survival: { Survival(.unaffected, reason: "no login session") },
            libraries: { [("libexample", "1.2.3")] },
            algorithms: { [.cipher: AlgorithmList(standard: ["strong"], supported: ["strong", "weak"])] }
        )
    }
}

/// A machine that runs a closure as its program.
struct FakeProgram: CommandHost {
    typealias Body = @Sendable (ExecRequest, ProgramStreams) async throws(VTError) -> ExitStatus

    let body: Body

    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        try await body(request, streams)
    }
}

private struct NoConnections: ConnectionRegistry {
    func connections() -> [SharedConnection] { [] }

    func close(where isSelected: @escaping @Sendable (SharedConnection) -> Bool) -> [SharedConnection] { [] }
}

private struct NoWebServer: WebServer {
    func serve(_ settings: WebSettings, _ site: any WebSite, interface: (any WebInterface)?) throws(VTError) {}

    func control(at path: String) throws(VTError) -> any SessionChannel {
        throw VTError(.notFound, "no server")
    }
}

private struct NoKeySource: KeyPairSource {
    func generate(_ kind: KeyKind, comment: String) throws(VTError) -> KeyPair {
        throw VTError(.system, "no keys")
    }

    func parse(_ contents: [UInt8], name: String, comment: String) throws(VTError) -> KeyPair {
        throw VTError(.dataInvalid, "no keys")
    }

    func signingKeys(of credentials: Credentials) async throws(VTError) -> [SigningKey] { [] }
}

private struct NoEngine: SpeechEngine {
    func text(of audio: SpeechAudio) async throws(VTError) -> String {
        throw VTError(.internal, "no speech")
    }
}
