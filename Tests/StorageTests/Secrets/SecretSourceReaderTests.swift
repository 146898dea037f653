import Core
import CoreTestSupport
import Storage
import System
import TestSupport
import Testing

@Suite struct SecretSourceReaderTests {
    private let scratch: ScratchDirectory
    private let store = MemorySecretStore()
    private let profile: Profile

    init() throws {
        scratch = try ScratchDirectory()
        profile = try .named("web") { $0.secretStore = .file }
    }

    private func read(
        _ source: SecretSource,
        _ profile: Profile? = nil,
        timeout: Duration = .seconds(10)
    ) async throws -> String? {
        let reader = SecretSourceReader(
            store: store,
            environment: Environment(["PASS": "from env ", "PATH": "/usr/bin:/bin"]),
            home: scratch.path,
            timeout: timeout,
            clock: ContinuousClock()
        )
        let secret = try await reader.secret(.password, from: source, of: profile)
        return secret.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func `without a source, there is no secret`() async throws {
        #expect(try await read(.none) == nil)
    }

    @Test func `a variable returns its whole value`() async throws {
        #expect(try await read(.environment("PASS")) == "from env ")
    }

    @Test(arguments: ["secret", "secret\n", "secret\r\nsecond line\n"])
    func `a file returns its first line`(text: String) async throws {
        try scratch.write(text, to: "password")
        #expect(try await read(.file(scratch.path("password"))) == "secret")
        #expect(try await read(.file("~/password")) == "secret")
    }

    @Test func `a command returns the first line of its output`() async throws {
        #expect(try await read(.command("printf 'a b\\nc'; exec 2>/dev/null; echo d >&2")) == "a b")
    }

    @Test func `the store returns the profile's secret`() async throws {
        try store.set("stored", profile, .password)
        #expect(try await read(.stored, profile) == "stored")
    }

    @Test func `an error of a failed command contains only its status`() async throws {
        let error = try await failure { _ = try await read(.command("echo hunter2; exit 3")) }
        #expect(error == VTError(.config, "the command for the password failed: exit status 3"))
        let killed = try await failure { _ = try await read(.command("kill -TERM $$")) }
        #expect(killed == VTError(.config, "the command for the password failed: terminated by signal TERM"))
    }

    @Test func `a command that does not exit times out`() async throws {
        let error = try await failure { _ = try await read(.command("exec sleep 600"), timeout: .milliseconds(200)) }
        #expect(error == VTError(.timedOut, "the command for the password did not exit within 200ms"))
    }

    @Test func `a source without a value is an error`() async throws {
        try scratch.write("\n", to: "empty")
        for source: SecretSource in [
            .environment("UNSET"), .file(scratch.path("none")), .file(scratch.path("empty")), .command("true"), .stored,
        ] {
            #expect(try await failure { _ = try await read(source, profile) }.code == .config)
        }
        #expect(try await failure { _ = try await read(.stored) }.code == .config)
    }
}
