import Commands
import Core
import CoreTestSupport
import Runtime
import Services
import Synchronization
import System
import TestSupport
import Testing

/// Calls to a remote vt: this machine acts as the server, and a shell script as its vt.
@Suite struct RemoteVTTests {
    private let scratch: ScratchDirectory
    private let notes = MemoryDiagnostics()

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.makeDirectory("home")
        try scratch.makeDirectory("bin")
    }

    /// This machine as a server.
    private struct Server: Connector, RemoteHost {
        let machine: LocalMachine

        func connect(_ plan: ConnectionPlan, observer: @escaping ConnectionObserver) async throws(VTError)
            -> any RemoteHost
        {
            self
        }

        func hostKey(of plan: SSHPlan, type: String) async throws(VTError) -> HostKey? { nil }

        func hostKeyTypes() -> [String] { [] }

        func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> Core.ExitStatus {
            try await machine.run(request, streams: streams)
        }

        func close() async {}
    }

    private func server() throws -> Server {
        let environment = ["HOME=\(scratch.path("home"))", "PATH=\(scratch.path("bin")):/usr/bin:/bin"]
        let machine = LocalMachine(
            shell: "/bin/sh",
            environment: environment.map { ByteString($0) },
            poller: try DescriptorPoller()
        )
        return Server(machine: machine)
    }

    /// The output of vt, without the marker that precedes it.
    private func output(of words: ByteString...) async throws -> [UInt8] {
        let output = BoundedSink(limitBytes: 1 << 20)
        _ = try await server().run(
            RemoteVTCommand.request(words),
            streams: ProgramStreams(input: BytesSource(), output: output, errorOutput: BoundedSink(limitBytes: 0))
        )
        let marker = RemoteVTCommand.marker
        try #require(output.bytes.starts(with: marker))
        return Array(output.bytes.dropFirst(marker.count))
    }

    private func failure() async throws -> VTError {
        let server = try server()
        var world = World(clock: ContinuousClock(), diagnostics: notes)
        world.connector = { _ in server }
        world.directories = { () throws(VTError) in try StateDirectories(Environment(["HOME": "/dev/null"])) }
        world.profiles = { MemoryProfileStore() }
        let sessions = try RemoteSessions(plan: .ssh(.sample("web")), profile: nil, in: world)
        return try await #require(throws: VTError.self) { try await SessionClient(sessions).session("x") }
    }

    private func install(_ body: String, at path: String = "home/.local/bin/vt") throws {
        try scratch.write("#!/bin/sh\n\(body)\n", to: path, mode: 0o755)
    }

    @Test(arguments: ["home/.local/bin/vt", "bin/vt"])
    func `finds vt in the home directory and in PATH, and passes arguments unchanged`(path: String) async throws {
        try install(#"printf '%s\0' "$@""#, at: path)
        let output = try await output(of: "sessions", "a b", "$HOME", "", "it's")
        #expect(output == Array("sessions\0a b\0$HOME\0\0it's\0".utf8))
    }

    @Test func `prefers vt in the home directory`() async throws {
        try install("echo home")
        try install("echo path", at: "bin/vt")
        #expect(try await output(of: "x") == Array("home\n".utf8))
    }

    @Test func `leaves PATH unchanged for the programs vt starts`() async throws {
        try install(#"printf %s "$PATH""#)
        #expect(try await output(of: "x") == Array("\(scratch.path("bin")):/usr/bin:/bin".utf8))
    }

    @Test func `a server without vt is reported with a hint`() async throws {
        let error = try await failure()
        #expect(
            error
                == VTError(.notFound, "vt is not installed on 'web'", hint: "to install it, use 'vt install web'")
        )
    }

    @Test(arguments: ["echo 'vt: missing argument: SESSION' >&2; exit 64"])
    func `reports a vt that is too old, and what it printed`(script: String) async throws {
        try install(script)
        let error = try await failure()
        #expect(error.code == .protocolViolation)
        #expect(error.causes == ["vt: missing argument: SESSION"])
        #expect(error.hint?.contains("vt install web") == true)
        #expect(notes.detailed == ["web: vt: missing argument: SESSION"])
    }

    @Test(arguments: ["echo '{}'", "printf '\\000\\000\\000\\001\\002'; cat >/dev/null", "exit 0"])
    func `reports a program that is not vt`(script: String) async throws {
        try install(script)
        #expect(try await failure().code == .protocolViolation)
    }

    @Test func `distinguishes a program that does not run from a missing one`() async throws {
        try scratch.write([0x7f, 0x45, 0x4c, 0x46, 0, 0], to: "home/.local/bin/vt", mode: 0o755)
        let error = try await failure()
        #expect(error.code == .system)
        #expect(error.hint?.contains("vt install web --force") == true)
    }
}

/// Diagnostics that record notes and details.
final class MemoryDiagnostics: Diagnostics {
    private let lines = Mutex<(notes: [String], details: [String])>(([], []))

    var noted: [String] { lines.withLock { $0.notes } }
    var detailed: [String] { lines.withLock { $0.details } }

    func note(_ message: String) { lines.withLock { $0.notes.append(message) } }

    func detail(_ message: @autoclosure () -> String) { lines.withLock { $0.details.append(message()) } }
}
