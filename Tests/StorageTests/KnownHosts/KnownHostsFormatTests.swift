import Core
import Foundation
import Storage
import TestSupport
import Testing

/// The known_hosts format (sshd(8)), with OpenSSH's own programs as the reference.
@Suite struct KnownHostsFormatTests {
    private let fixture: TrustFixture

    init() throws {
        fixture = try TrustFixture()
    }

    @Test(arguments: TestKey.Kind.allCases)
    func `fingerprints match ssh-keygen`(kind: TestKey.Kind) async throws {
        let key = try await fixture.key(kind)
        let text = try await ProgramCall("/usr/bin/ssh-keygen", ["-l", "-f", key.path + ".pub"]).check()
        #expect(text.split(separator: " ")[1] == fixture.store().fingerprint(of: key.hostKey))
    }

    @Test(arguments: [22, 2222])
    func `finds names hashed by ssh-keygen`(port: UInt16) async throws {
        let (key, other) = (try await fixture.key(), try await fixture.key())
        let endpoint = Endpoint(host: "web.example", port: port)
        try fixture.write(user: "\(endpoint.knownHostsName) \(key.text)", "other \(other.text)")
        try await ProgramCall("/usr/bin/ssh-keygen", ["-H", "-f", fixture.userFile]).check()
        let hashed = String(decoding: try fixture.scratch.read("home/.ssh/known_hosts"), as: UTF8.self)
        try #require(hashed.hasPrefix("|1|"))
        #expect(try fixture.check(key, endpoint, .strict) == .known)
        #expect(throws: VTError.self) { try fixture.check(other, endpoint, .strict) }
        #expect(throws: VTError.self) { try fixture.check(key, Endpoint(host: "web", port: port), .strict) }
    }

    @Test func `ssh-keygen finds keys that vt has written`() async throws {
        let key = try await fixture.key()
        #expect(try fixture.check(key, fixture.otherPort) == .stored)
        let call = ProgramCall("/usr/bin/ssh-keygen", ["-F", "[web.example]:2222", "-f", fixture.ownFile])
        #expect(try await call.check().contains(key.text))
    }

    /// Every case is also checked with `ssh-keygen -F`, which must agree.
    @Test(arguments: [
        ("web.example", true), ("WEB.Example", true), ("*.example", true), ("web.?xample", true), ("w*e", true),
        ("a,b,web.example", true), ("*", true), ("*,!other", true), ("!web.example,*", false),
        ("*,!*.example", false), ("web", false), ("example", false), ("web.example.org", false), ("?", false),
        ("[web.example]:22", false), ("!web.example", false), ("**.exampl**e*", true),
    ])
    func `patterns match as in OpenSSH`(names: String, isMatch: Bool) async throws {
        let key = try await fixture.key()
        try fixture.write(user: "\(names) \(key.text)")
        let isKnown = try !fixture.store().knownKeyTypes(for: Endpoint(host: "web.example"), in: HostKeyLookup())
            .isEmpty
        let reference = try await ProgramCall("/usr/bin/ssh-keygen", ["-F", "web.example", "-f", fixture.userFile])
            .run()
        #expect(isKnown == isMatch)
        #expect((reference.exit == 0) == isMatch)
    }

    @Test func `skips lines without a usable key`() async throws {
        let key = try await fixture.key()
        let future = Base64.encode([0, 0, 0, 6] + Array("future".utf8) + [1, 2, 3])
        try fixture.write(
            user: "",
            "   ",
            "# a comment",
            "  # another",
            "web.example 1024 35 1234567890 old protocol",
            "web.example future \(future) comment",
            "\tweb.example\t\(key.text)\tcomment # more \r"
        )
        #expect(try fixture.store().knownKeyTypes(for: fixture.host, in: HostKeyLookup()) == ["ssh-ed25519"])
    }

    /// Writes the line with `KEY` replaced by a key, and `CUT` by a truncated key.
    private func write(_ line: String, key: TestKey) throws {
        let text = Base64.encode(key.hostKey.blob)
        let cut = Base64.encode(Array(key.hostKey.blob.dropLast(6)))
        let damaged = line.replacingOccurrences(of: "KEY", with: text).replacingOccurrences(of: "CUT", with: cut)
        try fixture.write(own: "web.example \(key.text)")
        try fixture.write(user: "other \(key.text)", damaged)
    }

    @Test(arguments: [
        "web.example", "web.example ssh-ed25519", "web.example ssh-ed25519 !!!!", "web.example ssh-ed25519 AAAA",
        "web.example ssh-rsa KEY", "web.example ssh-ed25519 CUT", "@revoked", "@unknown web.example ssh-ed25519 KEY",
        "@revoked other ssh-ed25519 CUT", "*.example,!db.example ssh-ed25519 CUT", "web.example ssh-ed25519 KEYKEY",
    ])
    func `a host is rejected if a malformed line revokes a key or contains its name`(line: String) async throws {
        let key = try await fixture.key()
        try write(line, key: key)
        let failure = try #require(#expect(throws: VTError.self) { try fixture.check(key) })
        #expect(failure.code == .config)
        #expect(failure.message.hasPrefix("'\(fixture.userFile)' line 2: "))
        #expect(failure.hint?.contains("vi +2 \(fixture.userFile)") == true)
    }

    @Test func `a malformed line affects only the port that it names`() async throws {
        let key = try await fixture.key()
        try write("web.example ssh-ed25519 CUT", key: key)
        #expect(try fixture.check(key, fixture.otherPort) == .known)
        try write("[web.example]:2222 ssh-ed25519 CUT", key: key)
        #expect(try fixture.check(key) == .known)
        #expect(throws: VTError.self) { try fixture.check(key, fixture.otherPort) }
    }

    @Test func `a malformed line with a hashed name affects only the host with that name`() async throws {
        let key = try await fixture.key()
        let path = try fixture.scratch.write("web.example \(key.text)\n", to: "hashed")
        try await ProgramCall("ssh-keygen", ["-H", "-f", path]).check()
        let hashed = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ")[0]
        try write("\(hashed) ssh-ed25519 CUT", key: key)
        #expect(throws: VTError.self) { try fixture.check(key) }
        #expect(try fixture.check(key, Endpoint(host: "db.example")) == .stored)
    }

    @Test(arguments: [
        "other", "other ssh-ed25519 CUT", "@unknown other ssh-ed25519 KEY", "|1|AAAA|AAAA ssh-ed25519 KEY",
        "|1|short ssh-ed25519 KEY", "|2|x|y ssh-ed25519 KEY", "<<<<<<< HEAD", "\u{0}\u{0}\u{0}",
    ])
    func `a malformed line about other hosts is skipped with one note`(line: String) async throws {
        let key = try await fixture.key()
        try write(line, key: key)
        let store = fixture.store()
        for _ in 1...3 {
            #expect(try store.check(key.hostKey, for: fixture.host, policy: .strict, in: HostKeyLookup()) == .known)
        }
        #expect(fixture.diagnostics.notes.count == 1)
        #expect(fixture.diagnostics.notes.first?.hasPrefix("skipped '\(fixture.userFile)' line 2: ") == true)
    }

    @Test func `many malformed lines produce one note per file`() async throws {
        let key = try await fixture.key()
        try fixture.write(own: "x", "y", "web.example \(key.text)")
        try fixture.write(user: "z")
        #expect(try fixture.check(key) == .known)
        #expect(
            fixture.diagnostics.notes == [
                "skipped '\(fixture.ownFile)' line 1: missing key (and 1 more)",
                "skipped '\(fixture.userFile)' line 1: missing key",
            ]
        )
    }
}
