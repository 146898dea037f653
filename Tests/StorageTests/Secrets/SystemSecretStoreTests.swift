import Core
import Foundation
import Storage
import System
import TestSupport
import Testing

@Suite struct SystemSecretStoreTests {
    private let scratch: ScratchDirectory
    private var path: String { scratch.path("state/secrets.json") }
    private let password = SecretKey(profileID: "id1", purpose: .password, label: "vt: password of web")
    private let passphrase = SecretKey(profileID: "id1", purpose: .passphrase, label: "vt: passphrase of web")

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func store(_ environment: Environment = Environment([:])) -> SystemSecretStore {
        SystemSecretStore(path: path, environment: environment, timeout: .seconds(20), clock: ContinuousClock())
    }

    private func failure(_ body: () async throws -> Void) async throws -> VTError {
        try #require(await #expect(throws: VTError.self) { try await body() })
    }

    // MARK: - The Secret Service

    @Test func `the Secret Service stores, replaces and removes secrets`() async throws {
        let keyring = try await Keyring()
        let store = store(keyring.environment)
        let first = try Secret(Array(" s3cret $'\"\\ é".utf8))
        let second = try Secret(Array("other".utf8))
        #expect(try await store.secret(password, in: .secretService) == nil)
        try await store.store(second, as: password, in: .secretService)
        try await store.store(first, as: password, in: .secretService)
        try await store.store(second, as: passphrase, in: .secretService)
        #expect(try await store.secret(password, in: .secretService) == first)
        #expect(try await store.secret(passphrase, in: .secretService) == second)
        try await store.remove(password, in: .secretService)
        try await store.remove(password, in: .secretService)
        #expect(try await store.secret(password, in: .secretService) == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `without a message bus, the error has a hint`() async throws {
        let environment = Environment(["PATH": "/usr/bin:/bin", "HOME": scratch.path])
        for action in [
            { try await store(environment).store(Secret([65]), as: password, in: .secretService) },
            { _ = try await store(environment).secret(password, in: .secretService) },
            { try await store(environment).remove(password, in: .secretService) },
        ] as [() async throws -> Void] {
            let failure = try await failure(action)
            #expect(failure.code == .config)
            #expect(failure.hint == "use --secret-store file with vt profile add or vt profile edit")
            #expect(failure.message.hasPrefix("cannot use the Secret Service: secret-tool: "))
        }
    }

    @Test func `a keyring that never replies times out`() async throws {
        // A program that accepts any arguments and never exits.
        let store = SystemSecretStore(
            path: path,
            environment: Environment([:]),
            program: "/usr/bin/yes",
            timeout: .milliseconds(200),
            clock: ContinuousClock()
        )
        let failure = try await failure { _ = try await store.secret(password, in: .secretService) }
        #expect(failure.code == .config)
        #expect(failure.message == "the Secret Service did not respond within 200ms")
    }

    @Test func `reports a missing secret-tool`() async throws {
        let store = SystemSecretStore(
            path: path,
            environment: Environment([:]),
            program: scratch.path("none"),
            clock: ContinuousClock()
        )
        let failure = try await failure { try await store.store(Secret([65]), as: password, in: .secretService) }
        #expect(failure.code == .config)
        #expect(
            failure.hint
                == "install the package libsecret-tools, or use --secret-store file with vt profile add or vt profile edit"
        )
    }

    // MARK: - The file

    @Test func `the file stores, replaces and removes secrets`() async throws {
        let secret = try Secret([0xff, 0x20, 0x0a])
        try await store().store(try Secret([65]), as: password, in: .file)
        try await store().store(secret, as: password, in: .file)
        try await store().store(secret, as: passphrase, in: .file)
        #expect(try await store().secret(password, in: .file) == secret)
        try await store().remove(password, in: .file)
        try await store().remove(password, in: .file)
        #expect(try await store().secret(password, in: .file) == nil)
        #expect(try await store().secret(passphrase, in: .file) == secret)
    }

    @Test func `file and directory are accessible only to their owner, and the file is plain JSON`() async throws {
        try await store().store(try Secret(Array("hi".utf8)), as: password, in: .file)
        let files = FileManager.default
        #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try files.attributesOfItem(atPath: scratch.path("state"))[.posixPermissions] as? Int == 0o700)
        let document = try JSONSerialization.jsonObject(with: Data(try scratch.read("state/secrets.json")))
        let secrets = (document as? [String: Any])?["secrets"] as? [String: [String: String]]
        #expect(secrets == ["id1": ["password": "aGk="]])
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o602])
    func `rejects a file that is accessible to others`(mode: Int) async throws {
        try scratch.write(#"{"schema": 1, "secrets": {}}"#, to: "state/secrets.json", mode: mode)
        let failure = try await failure { _ = try await store().secret(password, in: .file) }
        #expect(failure.code == .config)
        #expect(failure.hint?.contains("chmod 600 \(path)") == true)
        let other = try await self.failure { try await store().store(try Secret([65]), as: password, in: .file) }
        #expect(other.code == .config)
    }

    @Test(arguments: [
        "", "{}", #"{"schema": 2, "secrets": {}}"#, #"{"schema": 1}"#, #"{"schema": 1, "secrets": {"a": "QQ=="}}"#,
        #"{"schema": 1, "secrets": {"id1": {"password": "QUJD!"}}}"#,
        #"{"schema": 1, "secrets": {"id1": {"password": "AA=="}}}"#,
    ])
    func `rejects a damaged file without overwriting it or revealing its secrets`(text: String) async throws {
        try scratch.write(text, to: "state/secrets.json")
        let failure = try await failure { _ = try await store().secret(password, in: .file) }
        #expect(failure.code == .config)
        #expect(!failure.message.contains("QUJD"))
        let other = try await self.failure { try await store().remove(password, in: .file) }
        #expect(other.code == .config)
        #expect(try scratch.read("state/secrets.json") == Array(text.utf8))
    }

    @Test func `the changes of twenty simultaneous writers are all kept`() async throws {
        let store = store()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                let key = SecretKey(profileID: "id\(number)", purpose: .password, label: "")
                group.addTask { try await store.store(try Secret([UInt8(65 + number)]), as: key, in: .file) }
            }
            try await group.waitForAll()
        }
        for number in 0..<20 {
            let key = SecretKey(profileID: "id\(number)", purpose: .password, label: "")
            #expect(try await store.secret(key, in: .file)?.bytes == [UInt8(65 + number)])
        }
    }
}
