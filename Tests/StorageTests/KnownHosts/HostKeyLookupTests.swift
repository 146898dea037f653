import Core
import Foundation
import Storage
import TestSupport
import Testing

/// Host keys in files named by the user: UserKnownHostsFile, GlobalKnownHostsFile and HostKeyAlias.
@Suite struct HostKeyLookupTests {
    private let fixture: TrustFixture
    private let first: String
    private let second: String

    init() throws {
        fixture = try TrustFixture()
        first = fixture.scratch.path("first")
        second = fixture.scratch.path("second")
    }

    private func lookup(_ files: String..., body: (inout HostKeyLookup) -> Void = { _ in }) -> HostKeyLookup {
        var lookup = HostKeyLookup()
        lookup.userFiles = files
        body(&lookup)
        return lookup
    }

    private func failure(_ body: () throws -> Void) throws -> VTError {
        try #require(#expect(throws: VTError.self, performing: body))
    }

    private func read(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `named files replace vt's own and the user's, and the first receives new keys`() async throws {
        let (old, new) = (try await fixture.key(), try await fixture.key())
        try fixture.write(own: "web.example \(old.text)")
        try fixture.write(user: "web.example \(old.text)")
        #expect(try fixture.check(new, in: lookup(first, second)) == .stored)
        #expect(try read(first) == "web.example \(new.text)\n")
        #expect(try mode(first) == 0o600)
        #expect(!FileManager.default.fileExists(atPath: second))
        #expect(try fixture.check(new, nil, .strict, in: lookup(second, first)) == .known)
        #expect(try fixture.own == "web.example \(old.text)\n")
        #expect(fixture.store().files(for: lookup(first)) == [first, fixture.scratch.path("ssh_known_hosts")])
    }

    @Test func `does not change the mode of an existing file`() async throws {
        let (old, new) = (try await fixture.key(), try await fixture.key())
        try fixture.scratch.write("old \(old.text)", to: "first", mode: 0o644)
        #expect(try fixture.check(new, in: lookup(first)) == .stored)
        #expect(try read(first) == "old \(old.text)\nweb.example \(new.text)\n")
        #expect(try mode(first) == 0o644)
    }

    @Test(arguments: [["/dev/null"], [], ["/dev/null", "OTHER"]])
    func `accepts a new key each time if no file is to receive it`(files: [String]) async throws {
        let key = try await fixture.key()
        var lookup = HostKeyLookup()
        lookup.userFiles = files.map { $0 == "OTHER" ? first : $0 }
        #expect(try fixture.check(key, in: lookup) == .accepted)
        #expect(try fixture.check(key, in: lookup) == .accepted)
        #expect(try failure { _ = try fixture.check(key, nil, .strict, in: lookup) }.code == .hostKeyUnknown)
        #expect(!FileManager.default.fileExists(atPath: first))
        #expect(!FileManager.default.fileExists(atPath: fixture.ownFile))
        let fingerprint = fixture.store().fingerprint(of: key.hostKey)
        let note = "accepted the new host key of 'Web.example:22': ssh-ed25519 \(fingerprint)"
        #expect(fixture.diagnostics.notes == [note, note])
    }

    @Test func `rejects a changed key, with file, line and a remedy`() async throws {
        let (old, new) = (try await fixture.key(), try await fixture.key())
        try fixture.scratch.write("# comment\n[web.example]:2222 \(old.text)\n", to: "second")
        let failure = try failure { _ = try fixture.check(new, fixture.otherPort, in: lookup("/dev/null", second)) }
        #expect(failure.code == .hostKeyChanged)
        #expect(failure.message.contains("('\(second)' line 2)"))
        #expect(failure.hint?.hasSuffix("then: ssh-keygen -f \(second) -R '[web.example]:2222'") == true)
        #expect(!FileManager.default.fileExists(atPath: first))
    }

    @Test func `a strict policy stores nothing`() async throws {
        let key = try await fixture.key()
        let failure = try failure { _ = try fixture.check(key, nil, .strict, in: lookup(first)) }
        #expect(failure.code == .hostKeyUnknown)
        #expect(failure.hint == "add the key to '\(first)', or use StrictHostKeyChecking=accept-new")
        #expect(!FileManager.default.fileExists(atPath: first))
    }

    @Test func `hashes names as ssh-keygen does`() async throws {
        let key = try await fixture.key()
        let hashed = lookup(first) { $0.hashesNames = true }
        #expect(try fixture.check(key, fixture.otherPort, in: hashed) == .stored)
        #expect(try read(first).hasPrefix("|1|"))
        let found = try await ProgramCall("ssh-keygen", ["-F", "[web.example]:2222", "-f", first]).check()
        #expect(found.contains(key.text))
        #expect(try fixture.check(key, fixture.otherPort, .strict, in: lookup(first)) == .known)
        // vt's own file has plain names.
        var own = HostKeyLookup()
        own.hashesNames = true
        #expect(try fixture.check(key, fixture.otherPort, in: own) == .stored)
        #expect(try fixture.own == "[web.example]:2222 \(key.text)\n")
    }

    @Test func `an alias replaces the host and the port`() async throws {
        let (key, other) = (try await fixture.key(), try await fixture.key())
        let alias = lookup(first) { $0.alias = "Compute.1" }
        try fixture.scratch.write("web.example,[web.example]:2222 \(other.text)\n", to: "first")
        #expect(try fixture.check(key, fixture.otherPort, in: alias) == .stored)
        #expect(try read(first).hasSuffix("\ncompute.1 \(key.text)\n"))
        #expect(try fixture.check(key, fixture.host, .strict, in: alias) == .known)
        #expect(try failure { _ = try fixture.check(other, fixture.otherPort, in: alias) }.code == .hostKeyChanged)
    }

    @Test func `global files apply in addition, and can be replaced`() async throws {
        let (key, revoked) = (try await fixture.key(), try await fixture.key())
        try fixture.scratch.write("web.example \(key.text)\n", to: "ssh_known_hosts")
        try fixture.scratch.write("@revoked * \(revoked.text)\n", to: "second")
        #expect(try fixture.check(key, nil, .strict, in: lookup("/dev/null")) == .known)
        let other = lookup("/dev/null") { $0.globalFiles = [second] }
        #expect(try failure { _ = try fixture.check(key, nil, .strict, in: other) }.code == .hostKeyUnknown)
        let failure = try failure { _ = try fixture.check(revoked, in: other) }
        #expect(failure.code == .hostKeyChanged)
        #expect(failure.message.contains("is revoked in '\(second)' line 1"))
    }

    @Test func `skips a certificate authority in a named file with a note`() async throws {
        let (authority, key) = (try await fixture.key(), try await fixture.key())
        try fixture.scratch.write("@cert-authority *.example \(authority.text)\n", to: "first")
        #expect(try fixture.check(key, in: lookup(first)) == .stored)
        #expect(fixture.diagnostics.notes.first?.hasPrefix("skipped '\(first)' line 1: ") == true)
    }

    @Test func `creates the user's ssh directory, but no other directory`() async throws {
        let key = try await fixture.key()
        #expect(try fixture.check(key, in: lookup("\(fixture.home)/.ssh/other")) == .stored)
        #expect(try mode("\(fixture.home)/.ssh") == 0o700)
        let missing = fixture.scratch.path("missing/file")
        #expect(try fixture.check(key, in: lookup(missing)) == .accepted)
        let note = "cannot store the host key of 'Web.example:22': cannot open '\(missing)': no such file or directory"
        #expect(fixture.diagnostics.notes.contains(note), "\(fixture.diagnostics.notes)")
    }

    @Test func `does not need vt's own directory if keys are not stored there`() async throws {
        let key = try await fixture.key()
        try fixture.scratch.write("not a directory", to: "vt")
        #expect(try fixture.check(key, in: lookup("/dev/null")) == .accepted)
        #expect(try fixture.check(key, in: lookup(first)) == .accepted)
        #expect(fixture.diagnostics.notes.contains { $0.hasPrefix("cannot store the host key of 'Web.example:22': ") })
        #expect(try failure { _ = try fixture.check(key) }.code != .hostKeyUnknown)
    }

    @Test func `an additional file that is read anyway may be missing`() async throws {
        let key = try await fixture.key()
        var lookup = HostKeyLookup()
        lookup.additionalFile = fixture.userFile
        #expect(try fixture.check(key, in: lookup) == .stored)
    }

    @Test func `an alias that is not a plain name is never written`() async throws {
        let key = try await fixture.key()
        let alias = lookup(first) { $0.alias = "a,*" }
        #expect(try fixture.check(key, in: alias) == .accepted)
        #expect(!FileManager.default.fileExists(atPath: first))
    }
}
