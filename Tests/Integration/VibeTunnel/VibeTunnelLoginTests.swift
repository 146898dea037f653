import Foundation
import TestSupport
import Testing

/// The ways in which vt logs in to a server.
struct VibeTunnelLoginTests {
    typealias Lab = VibeTunnelLab

    /// The requests of a command.
    private func requests(of lab: Lab, _ words: String...) async throws -> [String] {
        let count = lab.server.requests.count
        let result = try await lab.vt.call(words).run()
        #expect(result.exit == 0, "\(result.errorText)")
        return lab.server.requests.dropFirst(count).map(\.path)
    }

    @Test(arguments: [VibeTunnelDouble.Era.legacy, .v3])
    func `a token is preferred to the password in each request`(_ era: VibeTunnelDouble.Era) async throws {
        let lab = try await Lab(era, faults: Lab.faults { $0.acceptsBasic = true })
        #expect(try await requests(of: lab, "sessions", "list", "mac").contains("/api/auth/password"))
        #expect(try await requests(of: lab, "sessions", "list", "mac") == ["/api/sessions"])
        #expect(lab.server.requests.last?.fields["authorization"]?.hasPrefix("Bearer ") == true)
    }

    @Test(arguments: [false, true])
    func `a key signs the challenge`(_ isInAgent: Bool) async throws {
        let keys = try await KeyRing.user()
        let line = try keys.publicLine(.ed25519)
        let lab = try await Lab(.v3, faults: Lab.faults { $0.authorizedKey = line })
        let agent = isInAgent ? try await SSHAgent(keys, [.rsa, .ed25519]) : nil
        if isInAgent {
            try await lab.vt.check("profile", "edit", "mac", "--agent")
        } else {
            try await lab.vt.check("profile", "edit", "mac", "--no-agent", "--identity", keys.path(.ed25519))
        }
        let environment = agent.map { ["SSH_AUTH_SOCK": $0.socket] } ?? [:]
        let list = try await lab.vt.call(["sessions", "list", "mac"], environment: environment).run()
        #expect(list.exit == 0, "\(list.errorText)")
        let (challenge, signature) = lab.server.signedChallenge
        #expect(try await isValid(signature, of: challenge, by: line))
        // The token is kept.
        #expect(try await requests(of: lab, "sessions", "list", "mac") == ["/api/sessions"])
    }

    /// Verifies a signature with openssl(1).
    private func isValid(_ signature: [UInt8], of data: [UInt8], by line: String) async throws -> Bool {
        let files = try ScratchDirectory()
        let blob = try #require(Data(base64Encoded: String(line.split(separator: " ")[1])))
        // The prefix of a SubjectPublicKeyInfo (RFC 8410 §4).
        let prefix: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        for (name, contents) in [("key", prefix + blob.suffix(32)), ("data", data), ("signature", signature)] {
            try Data(contents).write(to: URL(fileURLWithPath: files.path(name)))
        }
        let words = ["-inkey", files.path("key"), "-sigfile", files.path("signature"), "-in", files.path("data")]
        return try await ProgramCall(
            "openssl",
            ["pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-rawin"] + words
        ).run().exit == 0
    }

    @Test func `without an accepted key, the error says so`() async throws {
        let keys = try await KeyRing.user()
        let line = try keys.publicLine(.ed25519)
        let lab = try await Lab(.v3, faults: Lab.faults { $0.authorizedKey = line })
        try await lab.vt.check("profile", "edit", "mac", "--no-agent", "--identity", keys.path(.rsa))
        let other = try await lab.run("sessions", "list", "mac")
        #expect(other.exit == 77 && other.errorText.contains("accepts only SSH keys"), "\(other.errorText)")
        #expect(lab.server.signedChallenge.challenge == [])
    }

    @Test func `a token that cannot be saved is reported`() async throws {
        let lab = try await Lab(.v3)
        // No file can be written.
        let limit = "trap '' XFSZ; ulimit -f 0; exec vt sessions list mac"
        let list = try await lab.vt.bash(limit)
        #expect(list.exit == 0 && list.errorText == "", "\(list.errorText)")
        let verbose = try await lab.vt.bash("\(limit) --verbose")
        #expect(verbose.errorText.contains("cannot save the login to 'mac'"), "\(verbose.errorText)")
    }

    @Test(arguments: VibeTunnelDouble.Era.allCases)
    func `no secret is shown`(_ era: VibeTunnelDouble.Era) async throws {
        let lab = try await Lab(era)
        let session = lab.server.add("s")
        session.emit("x")
        var texts: [String] = []
        let follower = try lab.vt.start("sessions", "logs", "mac:s", "--follow", "--verbose")
        try await follower.output.read(until: "x")
        texts.append(try String(contentsOfFile: "/proc/\(follower.pid)/cmdline", encoding: .utf8))
        session.end(0)
        texts.append(String(decoding: await follower.errors.readToEnd(), as: UTF8.self))
        let commands = [
            ["profile", "show", "mac", "--json"], ["profile", "list", "--json"], ["profile", "test", "mac", "--json"],
            ["sessions", "list", "mac", "--json", "--verbose"], ["sessions", "show", "mac:s", "--json"],
            ["sessions", "show", "mac:none", "--json"], ["attach", "mac:s", "--verbose"],
        ]
        for words in commands {
            let result = try await lab.vt.call(words).run()
            texts += [result.text, result.errorText]
        }
        // A server can repeat what it was sent.
        lab.server.change { $0.repeatsSecrets = true }
        for words in commands.suffix(4) {
            let result = try await lab.vt.call(words).run()
            #expect(result.exit != 0)
            texts += [result.text, result.errorText]
        }
        #expect(texts.contains { $0.contains("<secret>") })
        let credentials = lab.server.requests.compactMap {
            $0.fields["authorization"]?.split(separator: " ").last.map(String.init)
        }
        #expect(!credentials.isEmpty)
        for secret in credentials + [Lab.password] {
            #expect(!texts.contains { $0.contains(secret) })
            #expect(!lab.server.requests.contains { $0.path.contains(secret) })
        }
    }
}
