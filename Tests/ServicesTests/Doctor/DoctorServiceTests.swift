import Core
import CoreTestSupport
import Foundation
import Services
import System
import TestSupport
import Testing

/// Findings about this machine and vt's home in normal and abnormal states.
@Suite struct DoctorServiceTests {
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func findings(
        home: String? = nil,
        survival: Survival = Survival(.unaffected, reason: "no login session"),
        _ variables: [String: String] = [:]
    ) async throws -> [Finding] {
        let variables = ["HOME": scratch.path, "VT_HOME": home ?? scratch.path("vt")].merging(variables) { $1 }
        let environment = Environment(variables)
        var world = World(clock: ContinuousClock(), environment: environment, diagnostics: RecordedNotes())
        world.libraries = { [("libexample", "1.2.3")] }
        world.profiles = { MemoryProfileStore() }
        world.directories = { () throws(VTError) in try StateDirectories(environment) }
        world.survival = { survival }
        return try await DoctorService(world).findings(version: "9.8.7")
    }

    private func find(
        _ check: String,
        home: String? = nil,
        survival: Survival = Survival(.unaffected, reason: "no login session"),
        _ variables: [String: String] = [:]
    ) async throws -> Finding? {
        try await findings(home: home, survival: survival, variables).first { $0.check == check }
    }

    @Test func `versions precede the findings about the machine`() async throws {
        let versions = [Finding("vt", .ok, "9.8.7"), Finding("libexample", .ok, "1.2.3")]
        #expect(try await findings().prefix(3) == versions + [Finding("profiles", .ok, "0")])
    }

    private func makeDirectory(mode: Int) throws {
        let path = try scratch.makeDirectory("vt")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `a home that does not exist passes, and is not created`() async throws {
        #expect(try await find("configuration")?.verdict == .ok)
        #expect(try await find("disk")?.verdict == .ok)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("vt")))
    }

    @Test(arguments: [(0o700, Finding.Verdict.ok), (0o750, .warn), (0o701, .warn)])
    func `a home must be accessible only to its user`(_ mode: Int, _ expected: Finding.Verdict) async throws {
        try makeDirectory(mode: mode)
        let finding = try await find("configuration")
        #expect(finding?.verdict == expected)
        #expect(finding?.hint == (expected == .ok ? nil : "make it private: chmod 700 \(scratch.path("vt"))"))
    }

    @Test func `a file in place of the home fails`() async throws {
        try scratch.write("", to: "vt")
        #expect(try await find("configuration")?.verdict == .fail)
    }

    @Test func `two directories produce two findings`() async throws {
        let variables = ["VT_HOME": "", "XDG_STATE_HOME": scratch.path("state")]
        #expect(try await find("configuration", variables)?.detail == "'\(scratch.path)/.config/vt' does not exist yet")
        #expect(try await find("state", variables)?.detail == "'\(scratch.path)/state/vt' does not exist yet")
    }

    @Test func `a path where nothing can be created fails`() async throws {
        #expect(try await find("disk", home: "/proc/nothing/vt")?.verdict == .fail)
    }

    @Test func `a path that is too long for sockets passes where proc is mounted`() async throws {
        // `/sessions/ID/sock` takes 27 of the 107 bytes of a socket path (unix(7)).
        let fitting = try await find("sockets", home: "/" + String(repeating: "x", count: 79))
        #expect(fitting == Finding("sockets", .ok, "paths have 107 bytes; the maximum is 107"))
        let long = try await find("sockets", home: "/" + String(repeating: "x", count: 80))
        let text = "paths have 108 bytes; the maximum is 107 without /proc, which is mounted"
        #expect(long == Finding("sockets", .ok, text))
    }

    @Test func `reports that terminals can be opened`() async throws {
        #expect(try await find("terminals")?.verdict == .ok)
    }

    @Test(arguments: Survival.Mode.allCases)
    func `sessions that might not survive produce a warning`(mode: Survival.Mode) async throws {
        let finding = try await find("survival", survival: Survival(mode, reason: "because", hint: "do it"))
        let isCertain = [.unaffected, .loginScope, .userScope].contains(mode)
        #expect(finding == Finding("survival", isCertain ? .ok : .warn, "\(mode.rawValue): because", hint: "do it"))
    }

    @Test func `reports the cleanup of a CI runner`() async throws {
        #expect(try await find("runner") == nil)
        #expect(try await find("runner", ["RUNNER_TRACKING_ID": "x"])?.verdict == .ok)
    }

    @Test func `reports whether an agent is available, missing or not configured`() async throws {
        let agent = try await SSHAgent(try await KeyRing.user(), [])
        // The agent runs until the object is released.
        defer { withExtendedLifetime(agent) {} }
        #expect(try await find("ssh-agent")?.detail == "none")
        #expect(try await find("ssh-agent", ["SSH_AUTH_SOCK": agent.socket])?.verdict == .ok)
        #expect(try await find("ssh-agent", ["SSH_AUTH_SOCK": scratch.path("nothing")])?.verdict == .warn)
        let long = String(repeating: "x", count: 200)
        #expect(try await find("ssh-agent", ["SSH_AUTH_SOCK": "/\(long)"])?.verdict == .warn)
    }
}
