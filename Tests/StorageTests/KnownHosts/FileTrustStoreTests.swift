import Core
import Foundation
import Storage
import System
import TestSupport
import Testing

@Suite struct FileTrustStoreTests {
    private let fixture: TrustFixture

    init() throws {
        fixture = try TrustFixture()
    }

    private func failure(_ body: () throws -> Void) throws -> VTError {
        try #require(#expect(throws: VTError.self, performing: body))
    }

    @Test func `stores and reports a new host, then accepts it silently`() async throws {
        let key = try await fixture.key()
        #expect(try fixture.check(key) == .stored)
        #expect(try fixture.check(key) == .known)
        #expect(try fixture.own == "web.example \(key.text)\n")
        let fingerprint = fixture.store().fingerprint(of: key.hostKey)
        #expect(
            fixture.diagnostics.notes
                == ["stored the new host key of 'Web.example:22': ssh-ed25519 \(fingerprint)"]
        )
    }

    @Test func `a port other than 22 is part of the name`() async throws {
        let key = try await fixture.key()
        #expect(try fixture.check(key, fixture.otherPort) == .stored)
        #expect(try fixture.own == "[web.example]:2222 \(key.text)\n")
        #expect(try fixture.check(key, fixture.host, .acceptNew) == .stored)
    }

    @Test func `a strict policy rejects a new host and stores nothing`() async throws {
        let key = try await fixture.key()
        let failure = try failure { _ = try fixture.check(key, fixture.otherPort, .strict) }
        #expect(failure.code == .hostKeyUnknown)
        #expect(failure.hint == "vt host trust web.example:2222 \(fixture.store().fingerprint(of: key.hostKey))")
        #expect(throws: CocoaError.self) { try fixture.own }
    }

    @Test func `a strict policy accepts a key known to OpenSSH`() async throws {
        let key = try await fixture.key()
        try fixture.write(user: "other,WEB.example \(key.text) comment")
        #expect(try fixture.check(key, fixture.host, .strict) == .known)
    }

    @Test func `the error for a changed key in vt's own file contains both fingerprints and a hint`() async throws {
        let (old, new) = (try await fixture.key(), try await fixture.key())
        try fixture.write(own: "# comment", "web.example \(old.text)")
        let failure = try failure { _ = try fixture.check(new) }
        let store = fixture.store()
        #expect(failure.code == .hostKeyChanged)
        #expect(
            failure.message
                == "the host key of 'Web.example:22' has changed: expected ssh-ed25519 "
                + "\(store.fingerprint(of: old.hostKey)) ('\(fixture.ownFile)' line 2), "
                + "received \(store.fingerprint(of: new.hostKey))"
        )
        #expect(
            failure.hint == "compare the fingerprint with the server's, then: "
                + "vt host trust Web.example:22 \(store.fingerprint(of: new.hostKey)) --replace"
        )
        #expect(try fixture.own == "# comment\nweb.example \(old.text)\n")
    }

    @Test func `the hint for a changed key in an OpenSSH file uses ssh-keygen`() async throws {
        let (old, new) = (try await fixture.key(), try await fixture.key())
        try fixture.write(user: "[web.example]:2222 \(old.text)")
        let failure = try failure { _ = try fixture.check(new, fixture.otherPort) }
        let words = try #require(failure.hint).split(separator: "then: ")[1].split(separator: " && ").map(String.init)
        let command = words[0]
        #expect(command == "ssh-keygen -f \(fixture.userFile) -R '[web.example]:2222'")
        let fingerprint = fixture.store().fingerprint(of: new.hostKey)
        #expect(words.dropFirst() == ["vt host trust web.example:2222 \(fingerprint) --replace"])
        try await ProgramCall("/bin/sh", ["-c", command]).check()
        #expect(try fixture.check(new, fixture.otherPort) == .stored)
    }

    @Test func `accepts any of several known keys of a type`() async throws {
        let (old, new) = (try await fixture.key(), try await fixture.key())
        try fixture.write(own: "web.example \(old.text)")
        try fixture.write(user: "web.example \(new.text)")
        #expect(try fixture.check(new) == .known)
        #expect(try fixture.check(old) == .known)
    }

    @Test func `a key of a different type counts as unknown, not as changed`() async throws {
        let (known, shown) = (try await fixture.key(.ecdsa), try await fixture.key())
        try fixture.write(user: "web.example \(known.text)")
        let failure = try failure { _ = try fixture.check(shown) }
        #expect(failure.code == .hostKeyUnknown)
        #expect(failure.hint == "vt host trust Web.example:22 \(fixture.store().fingerprint(of: shown.hostKey))")
        #expect(try fixture.store().knownKeyTypes(for: fixture.host, in: HostKeyLookup()) == ["ecdsa-sha2-nistp256"])
    }

    @Test func `a name without the port can confirm a key, but never marks it as changed`() async throws {
        let (key, other) = (try await fixture.key(), try await fixture.key())
        try fixture.write(user: "web.example \(key.text)")
        #expect(try fixture.check(key, fixture.otherPort, .strict) == .known)
        #expect(try fixture.check(other, fixture.otherPort) == .stored)
        #expect(try fixture.own == "[web.example]:2222 \(other.text)\n")
        #expect(try failure { _ = try fixture.check(key, fixture.otherPort) }.code == .hostKeyChanged)
    }

    @Test(arguments: ["web.example", "*", "[web.example]:2222"])
    func `rejects a revoked key even if it is also known`(name: String) async throws {
        let key = try await fixture.key()
        try fixture.write(own: "web.example,[web.example]:2222 \(key.text)")
        try fixture.write(user: "@revoked \(name) \(key.text)")
        let failure = try failure { _ = try fixture.check(key, fixture.otherPort) }
        #expect(failure.code == .hostKeyChanged)
        #expect(failure.message.contains("is revoked in '\(fixture.userFile)' line 1"))
        #expect(failure.hint?.hasSuffix("vi +1 \(fixture.userFile)") == true)
    }

    @Test func `a certificate authority is skipped with a note and is not a host key`() async throws {
        let (authority, key) = (try await fixture.key(), try await fixture.key())
        try fixture.write(user: "@cert-authority *.example \(authority.text)")
        #expect(try fixture.store().knownKeyTypes(for: fixture.host, in: HostKeyLookup()) == [])
        #expect(try fixture.check(key) == .stored)
        #expect(
            fixture.diagnostics.notes.first
                == "skipped '\(fixture.userFile)' line 1: it is a certificate authority for 'Web.example:22', "
                + "but vt cannot verify certificates"
        )
    }

    @Test func `a pin compares only the fingerprint and reads no files`() async throws {
        let (key, other) = (try await fixture.key(), try await fixture.key())
        try fixture.write(own: "damaged")
        let pin = HostKeyPolicy.pin(fixture.store().fingerprint(of: key.hostKey))
        #expect(try fixture.check(key, nil, pin) == .pinned)
        #expect(try failure { _ = try fixture.check(other, nil, pin) }.code == .hostKeyChanged)
    }

    @Test func `reads an extra file, and includes its key types`() async throws {
        let (key, rsa) = (try await fixture.key(), try await fixture.key(.rsa))
        let extra = try fixture.scratch.write("web.example \(key.text)\n", to: "extra")
        try fixture.write(own: "web.example \(rsa.text)")
        var lookup = HostKeyLookup()
        lookup.additionalFile = extra
        #expect(try fixture.check(key, nil, .strict, in: lookup) == .known)
        #expect(try fixture.store().knownKeyTypes(for: fixture.host, in: lookup) == ["ssh-rsa", "ssh-ed25519"])
        lookup.additionalFile = "/dev/null"
        #expect(throws: VTError.self) { try fixture.check(key, nil, .strict, in: lookup) }
    }

    @Test func `reports an extra file that does not exist`() async throws {
        let key = try await fixture.key()
        let missing = fixture.scratch.path("none")
        var lookup = HostKeyLookup()
        lookup.additionalFile = missing
        let failure = try failure { _ = try fixture.check(key, in: lookup) }
        #expect(failure.code == .notFound)
        #expect(failure.message == "cannot open known_hosts file '\(missing)': no such file or directory")
    }

    @Test func `no host is trusted if a file cannot be read`() async throws {
        let key = try await fixture.key()
        try fixture.scratch.makeDirectory("home/.ssh/known_hosts")
        #expect(try failure { _ = try fixture.check(key) }.code == .io)
    }

    @Test func `a new key is accepted and reported if it cannot be stored, unless the policy is strict`() async throws {
        let (key, other) = (try await fixture.key(), try await fixture.key())
        let lock = "\(fixture.ownFile).lock"
        try fixture.scratch.makeDirectory("vt/known_hosts.lock")
        #expect(try fixture.check(key) == .accepted)
        #expect(
            fixture.diagnostics.notes == [
                "cannot store the host key of 'Web.example:22': cannot open '\(lock)': is a directory",
                "accepted the new host key of 'Web.example:22': ssh-ed25519 "
                    + fixture.store().fingerprint(of: key.hostKey),
            ]
        )
        #expect(try failure { _ = try fixture.check(key, nil, .strict) }.code == .hostKeyUnknown)
        try fixture.write(user: "web.example \(other.text)")
        #expect(try failure { _ = try fixture.check(key) }.code == .hostKeyChanged)
    }

    @Test func `twenty simultaneous first connections store one line`() async throws {
        let key = try await fixture.key()
        let fixture = fixture
        let verdicts = try await withThrowingTaskGroup(of: TrustVerdict.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await FileLock.retry(on: ContinuousClock()) { () throws(VTError) in try fixture.check(key) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts.count { $0 == .stored } == 1)
        #expect(verdicts.count { $0 == .known } == 19)
        #expect(try fixture.own == "web.example \(key.text)\n")
        #expect(fixture.diagnostics.notes.count == 1)
    }

    @Test func `a check fails immediately if another process is storing a key, and reports nothing`() async throws {
        let key = try await fixture.key()
        try fixture.write(user: "@cert-authority web.example \(key.text)")
        try fixture.scratch.makeDirectory("vt")
        try FileLock(at: "\(fixture.ownFile).lock").hold { () throws(VTError) in
            let error = #expect(throws: VTError.self) { try fixture.check(key) }
            #expect(error?.code == .busy)
        }
        #expect(fixture.diagnostics.notes.isEmpty)
        #expect(try fixture.check(key) == .stored)
    }

    @Test func `completes an unterminated last line, and makes the file accessible only to its owner`() async throws {
        let (old, new) = (try await fixture.key(), try await fixture.key())
        try fixture.scratch.write("old \(old.text)", to: "vt/known_hosts", mode: 0o644)
        #expect(try fixture.check(new) == .stored)
        #expect(try fixture.own == "old \(old.text)\nweb.example \(new.text)\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.ownFile)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a store detects changes made after it has read the file`() async throws {
        let (old, new) = (try await fixture.key(), try await fixture.key())
        let store = fixture.store()
        try fixture.write(own: "web.example \(old.text)")
        #expect(try store.check(old.hostKey, for: fixture.host, policy: .strict, in: HostKeyLookup()) == .known)
        try fixture.write(own: "# new", "web.example \(new.text)")
        #expect(try store.check(new.hostKey, for: fixture.host, policy: .strict, in: HostKeyLookup()) == .known)
    }
}
