import Commands
import Core
import CoreTestSupport
import Services
import System

/// A machine and its network, simulated in memory.
struct FakeMachine {
    var profiles = MemoryProfileStore()
    var secrets = MemorySecretStore()
    var hostKeys = MemoryHostKeys()
    var connector: any Connector = FakeServer(keys: [])
    var sessions = FakeSessionStore()
    /// Runs the programs of `vt exec local`.
    var program: FakeProgram.Body = { _, _ throws(VTError) in .exited(0) }

    var world: World {
        let machine = self
        var world = World(clock: ContinuousClock(), diagnostics: RecordedNotes())
        world.account = { Account(name: "ann", home: "/home/ann") }
        // Nothing can be read or created in these directories.
        world.directories = { () throws(VTError) in try StateDirectories(Environment(["HOME": "/dev/null"])) }
        world.profiles = { machine.profiles }
        world.secrets = { machine.secrets }
        world.keySource = { NoKeySource() }
        world.hostKeys = { _ in machine.hostKeys }
        world.connections = { _ in NoConnections() }
        world.connector = { _ in machine.connector }
        world.localMachine = { FakeProgram(body: machine.program) }
        world.sessions = { machine.sessions }
        world.web = { NoWebServer() }
        world.survival = { Survival(.unaffected, reason: "no login session") }
        world.libraries = { [("libexample", "1.2.3")] }
        world.algorithms = { [.cipher: AlgorithmList(standard: ["strong"], supported: ["strong", "weak"])] }
        return world
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
