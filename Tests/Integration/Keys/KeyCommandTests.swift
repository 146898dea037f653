import Foundation
import TestSupport
import Testing

/// `vt key`, without servers.
@Suite struct KeyCommandTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    @Test func `generates, lists, shows and removes a key`() async throws {
        let line = try await vt.check("key", "generate", "deploy", "--comment", "ann@laptop")
        let words = line.split(separator: " ")
        #expect(words.first?.hasPrefix("SHA256:") == true)
        let path = "\(vt.stateHome)/keys/deploy"
        #expect(words.last == "\(path).pub\n")
        #expect(try await vt.check("key", "show", "deploy").hasPrefix("ssh-ed25519 AAAAC3Nza"))
        let listed = try await ProgramCall("ssh-keygen", ["-l", "-f", path]).check()
        #expect(listed == "256 \(words[0]) ann@laptop (ED25519)\n")
        let document = try await vt.run("key", "show", "deploy", "--json").json()
        #expect(document["path"] as? String == path)
        #expect(document["fingerprint"] as? String == String(words[0]))
        try await vt.check("key", "remove", "deploy")
        #expect(try await vt.check("key", "list", "--json").filter { !$0.isWhitespace } == "[]")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(vt.stateHome)/keys").isEmpty)
    }

    @Test func `never overwrites a key`() async throws {
        try await vt.check("key", "generate", "k")
        let former = try await vt.check("key", "show", "k")
        let keys = try await KeyRing.user()
        #expect(try await vt.run("key", "generate", "k").exit == 73)
        #expect(try await vt.run("key", "import", "k", keys.path(.ed25519)).exit == 73)
        #expect(try await vt.check("key", "show", "k") == former)
    }

    @Test func `imports keys from files and from standard input`() async throws {
        let keys = try await KeyRing.user()
        for kind in KeyRing.Kind.allCases {
            try await vt.check("key", "import", kind.rawValue, keys.path(kind))
            #expect(try await vt.check("key", "show", kind.rawValue) == (try keys.publicLine(kind)) + "\n")
        }
        let contents = try Data(contentsOf: URL(fileURLWithPath: keys.path(.ecdsa)))
        #expect(try await vt.run("key", "import", "stdin", "-", input: Array(contents)).exit == 0)
        let document = try await vt.run("key", "show", "encrypted", "--json").json()
        #expect(document["encrypted"] as? Bool == true)
        #expect(document["fingerprint"] as? String == (try await keys.fingerprint(.encrypted)))
    }

    @Test func `rejects public keys, garbage and missing files`() async throws {
        let keys = try await KeyRing.user()
        #expect(try await vt.run("key", "import", "k", keys.path(.rsa) + ".pub").exit == 65)
        #expect(try await vt.run("key", "import", "k", "-", input: noise(1000)).exit == 65)
        #expect(try await vt.run("key", "import", "k", "/nowhere/key").exit == 66)
        #expect(try await vt.run("key", "generate", "a.pub").exit == 64)
        #expect(try await vt.check("key", "list", "--json").filter { !$0.isWhitespace } == "[]")
    }

    @Test func `a key that a profile uses is not removed`() async throws {
        try await vt.check("key", "generate", "k")
        try await vt.check("profile", "add", "web", "web.example", "--key", "k")
        let refusal = try await vt.run("key", "remove", "k")
        #expect(refusal.exit == 75)
        #expect(refusal.errorText.hasPrefix("vt: cannot remove key 'k': used by profile 'web'\n"))
        let document = try await vt.run("key", "show", "k", "--json").json()
        #expect(document["profiles"] as? [String] == ["web"])
        #expect(try await vt.run("key", "remove", "k", "--force").exit == 0)
        #expect(try await vt.run("profile", "edit", "web", "--key", "k").exit == 66)
    }
}
