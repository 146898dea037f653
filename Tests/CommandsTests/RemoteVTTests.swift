import Commands
import Core
import CoreTestSupport
import Runtime
import Services
import Synchronization
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

    private func answer(to words: ByteString...) async throws(VTError) -> RemoteVT.Answer {
        let environment = ["HOME=\(scratch.path("home"))", "PATH=\(scratch.path("bin")):/usr/bin:/bin"]
        let host = LocalMachine(
            shell: "/bin/sh",
            environment: environment.map { ByteString($0) },
            poller: try DescriptorPoller()
        )
        let remote = RemoteVT(
            connector: FakeServer(keys: []),
            failures: FailureDocumentReader(),
            clock: ContinuousClock(),
            diagnostics: notes
        )
        return try await remote.answer(to: words, on: host, named: "web")
    }

    private func install(_ body: String, at path: String = "home/.local/bin/vt") throws {
        try scratch.write("#!/bin/sh\n\(body)\n", to: path, mode: 0o755)
    }

    private func failure() async throws -> VTError {
        try await #require(throws: VTError.self) { try await answer(to: "x") }
    }

    @Test(arguments: ["home/.local/bin/vt", "bin/vt"])
    func `finds vt in the home directory and in PATH, and passes arguments unchanged`(path: String) async throws {
        try install(#"printf '%s\0' "$@""#, at: path)
        let answer = try await answer(to: "sessions", "a b", "$HOME", "", "it's")
        #expect(answer == .init(status: .exited(0), output: Array("sessions\0a b\0$HOME\0\0it's\0".utf8)))
    }

    @Test func `prefers vt in the home directory`() async throws {
        try install("echo home")
        try install("echo path", at: "bin/vt")
        #expect(try await answer(to: "x").output == Array("home\n".utf8))
    }

    @Test func `leaves PATH unchanged for the programs vt starts`() async throws {
        try install(#"printf %s "$PATH""#)
        #expect(try await answer(to: "x").output == Array("\(scratch.path("bin")):/usr/bin:/bin".utf8))
    }

    @Test func `a server without vt is reported with a hint`() async throws {
        let error = try await failure()
        #expect(
            error
                == VTError(.notFound, "vt is not installed on 'web'", hint: "to install it, use 'vt install web'")
        )
    }

    @Test func `reports an error of the remote vt, prefixed with the profile name`() async throws {
        let told = #"{"error":{"code":"busy","message":"locked","hint":"wait","causes":["x"],"exit":75}}"#
        try install("echo 'vt: a note' >&2; echo noise >&2; echo '\(told)' >&2; exit 75")
        #expect(try await failure() == VTError(.busy, "web: locked", hint: "on 'web': wait", causes: ["x"]))
        #expect(notes.noted == ["web: a note"])
        #expect(notes.detailed == ["web: noise"])
    }

    @Test(arguments: [
        ("for details, use 'vt sessions show l1'", "for details, use 'vt sessions show web:l1'"),
        ("see 'vt sessions list'", "see 'vt sessions list web'"),
        ("use 'vt sessions kill --remove SESSION'", "on 'web': use 'vt sessions kill --remove SESSION'"),
        ("vt sessions ", "on 'web': vt sessions "),
    ])
    func `names the session in a hint of the remote vt as it can be typed here`(
        _ hint: String,
        _ expected: String
    ) async throws {
        let document = #"{"error":{"code":"io","message":"m","hint":"\#(hint)","exit":74}}"#
        try install("cat >&2 <<'END'\n\(document)\nEND\nexit 74")
        #expect(try await failure().hint == expected)
    }

    @Test(arguments: [("brand.new", 75, VTError.Code.busy), ("brand.new", 99, .internal), ("io", 255, .io)])
    func `replaces an unknown error code with the code of the exit status`(
        _ code: String,
        _ exit: Int,
        _ expected: VTError.Code
    ) async throws {
        try install(#"echo '{"error":{"code":"\#(code)","message":"m","exit":\#(exit)}}' >&2; exit \#(exit)"#)
        #expect(try await failure().code == expected)
    }

    @Test(arguments: [1, 126, 127])
    func `a nonzero status with output is a result, not an error`(_ status: Int) async throws {
        try install("echo '{}'; exit \(status)")
        #expect(try await answer(to: "x") == .init(status: .exited(UInt32(status)), output: Array("{}\n".utf8)))
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
