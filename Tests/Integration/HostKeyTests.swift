import Foundation
import TestSupport
import Testing

@Suite(.crowded)
struct HostKeyTests {
    /// The contents of vt's own known_hosts file; empty if the file does not exist.
    private func store(_ vt: Vt) -> String {
        (try? String(contentsOfFile: "\(vt.stateHome)/known_hosts", encoding: .utf8)) ?? ""
    }

    /// Replaces a server with a new one on the same port, with different host keys.
    private func replacement(of server: OpenSSHServer, _ hostKeys: [KeyRing.Kind] = [.ed25519]) async throws
        -> OpenSSHServer
    {
        server.stop()
        return try await OpenSSHServer(.init(hostKeys: hostKeys), port: server.port)
    }

    @Test func `stores and reports a new host key only once`() async throws {
        let lab = try await Lab()
        let first = try await lab.exec("true")
        #expect(first.status == .exited(0))
        #expect(first.errorText.contains(try await lab.server.hostKeys.fingerprint(.ed25519)))
        #expect(store(lab.vt).split(separator: "\n").count == 1)
        let second = try await lab.exec("true")
        #expect(second.errors.isEmpty)
        #expect(store(lab.vt).split(separator: "\n").count == 1)
    }

    @Test func `twenty simultaneous first connections store the key once`() async throws {
        let lab = try await Lab()
        let statuses = try await withThrowingTaskGroup(of: ProgramStatus.self) { group in
            for _ in 0..<20 { group.addTask { try await lab.exec("true").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: .exited(0), count: 20))
        #expect(store(lab.vt).split(separator: "\n").count == 1)
    }

    @Test func `a target that waits to store a key does not delay the others`() async throws {
        let lab = try await Lab.met()
        let other = try await OpenSSHServer(.init(hostKeys: [.ed25519]))
        try await lab.addProfile("new", port: other.port)
        let lock = "\(lab.vt.stateHome)/known_hosts.lock"
        let holder = try ProgramCall("flock", [lock, "sh", "-c", "echo held; exec cat"]).start()
        try await holder.output.read(until: "held\n")
        let run = try lab.vt.start("exec", "--prefix", "new,p", "echo done")
        try await run.output.read(until: "p: done\n")
        #expect(run.isRunning)
        holder.input.close()
        try await run.output.read(until: "new: done\n")
        #expect(try await run.wait() == .exited(0))
        #expect(store(lab.vt).split(separator: "\n").count == 2)
    }

    @Test func `rejects a changed key, reports both fingerprints, and leaves the store unchanged`() async throws {
        let lab = try await Lab.met()
        let before = store(lab.vt)
        let other = try await replacement(of: lab.server)
        let result = try await lab.vt.run("--json", "exec", "p", "touch \(lab.server.home)/ran")
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "host-key.changed")
        #expect(result.errorText.contains(try await lab.server.hostKeys.fingerprint(.ed25519)))
        #expect(result.errorText.contains(try await other.hostKeys.fingerprint(.ed25519)))
        #expect(store(lab.vt) == before)
        #expect(!other.log.contains("userauth") && !other.log.contains("Accepted"))
        #expect(!FileManager.default.fileExists(atPath: "\(lab.server.home)/ran"))
    }

    @Test func `trusts a changed key once the command in the hint has been run`() async throws {
        let lab = try await Lab.met()
        let other = try await replacement(of: lab.server)
        #expect(try await lab.exec("true").status == .exited(255))
        let hint = try await lab.vt.run("--json", "exec", "p", "true").jsonError()["hint"] as? String
        let command = try #require(hint?.firstMatch(of: /then: (vt host trust .+ --replace)/)?.output.1)
        let trusted = try await lab.vt.bash(String(command))
        #expect(trusted.status == .exited(0), "\(command): \(trusted.errorText)")
        #expect(try await lab.exec("true").status == .exited(0))
        #expect(store(lab.vt).contains(try other.hostKeys.publicLine(.ed25519).split(separator: " ")[1]))
    }

    @Test func `host commands select servers by profile and tag`() async throws {
        let lab = try await Lab()
        for name in ["a", "b"] { try await lab.addProfile(name, ["--no-agent", "--tag", "lab"]) }
        try await lab.addProfile("down", port: LoopbackPort.free(), ["--no-agent", "--tag", "lab"])
        let fingerprint = try await lab.server.hostKeys.fingerprint(.ed25519)
        let scan = try await lab.vt.run("host", "scan", "p", "--json")
        #expect(scan.text.contains("\"profile\":\"p\"") && scan.text.contains("\"port\":\(lab.server.port)"))
        let tagged = try await lab.vt.run("host", "scan", "--tag", "lab")
        #expect(tagged.status == .exited(69))
        #expect(tagged.text.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("a ") || $0.hasPrefix("b ") })
        #expect(try await lab.vt.run("host", "trust", "a", fingerprint).status == .exited(0))
        #expect(store(lab.vt).split(separator: "\n").count == 1)
        #expect(try await lab.vt.run("exec", "b", "true").errors.isEmpty)
        #expect(try await lab.vt.run("host", "list", "p", "b", "down").text.split(separator: "\n").count == 2)
        #expect(try await lab.vt.run("host", "forget", "--tag", "lab").status == .exited(0))
        #expect(store(lab.vt).isEmpty)
        #expect(try await lab.vt.run("host", "list", "--tag", "none").status == .exited(66))
    }

    @Test func `profile test exits with 77 if the host key has changed`() async throws {
        let lab = try await Lab.met()
        let other = try await replacement(of: lab.server)
        #expect(try await lab.vt.run("profile", "test", "p").status == .exited(77))
        #expect(!other.log.contains("Accepted"))
    }

    @Test func `a scan finds the changed keys of profiles that pin one or have a known_hosts file`() async throws {
        let lab = try await Lab()
        let (port, fingerprint) = (lab.server.port, try await lab.server.hostKeys.fingerprint(.ed25519))
        let known = try lab.vt.writeElsewhere(try lab.server.knownHostsLine(.ed25519), to: "known")
        try await lab.addProfile("pinned", ["--no-agent", "--tag", "x", "--host-key", fingerprint])
        try await lab.addProfile("listed", ["--no-agent", "--tag", "x", "--known-hosts", known])
        func statuses(_ options: String...) async throws -> [String] {
            try await lab.vt.call(["host", "scan", "--tag", "x", "--format", "{profile} {status}"] + options).check()
                .split(separator: "\n").map(String.init)
        }
        #expect(try await statuses() == ["listed known", "pinned known"])
        #expect(try await lab.vt.check("host", "list", "listed").contains(known))
        let other = try await replacement(of: lab.server)
        #expect(other.port == port)
        #expect(try await statuses("--filter", "status=changed") == ["listed changed", "pinned changed"])
        let trusted = try await lab.vt.run("host", "trust", "--all", "--replace", "pinned")
        #expect(trusted.status == .exited(64))
        #expect(trusted.errorText.contains("vt profile edit pinned --host-key SHA256:"))
        #expect(try await lab.vt.run("host", "trust", "--all", "--replace", "listed").status == .exited(77))
        #expect(store(lab.vt).isEmpty)
    }

    @Test func `a scan through another jump host uses the policy of the profile`() async throws {
        let lab = try await Lab()
        let wrong = try await lab.server.userKeys.fingerprint(.ecdsa)
        try await lab.addProfile("pinned", ["--no-agent", "--host-key", wrong])
        let scan = try await lab.vt.check("host", "scan", "-J", "p", "pinned", "--format", "{status}")
        #expect(Set(scan.split(separator: "\n")) == ["changed"])
    }

    @Test func `a strict profile rejects an unknown host`() async throws {
        let lab = try await Lab()
        try await lab.addProfile("strict", ["--no-agent", "--host-key-policy", "strict"])
        let result = try await lab.vt.run("--json", "exec", "strict", "true")
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "host-key.unknown")
        #expect(store(lab.vt).isEmpty)
        try await lab.meet()
        #expect(try await lab.vt.run("exec", "strict", "true").status == .exited(0))
    }

    @Test func `accepts only the pinned key`() async throws {
        let lab = try await Lab()
        let fingerprint = try await lab.server.hostKeys.fingerprint(.ed25519)
        try await lab.addProfile("right", ["--no-agent", "--host-key", fingerprint])
        #expect(try await lab.vt.run("exec", "right", "true").status == .exited(0))
        let wrong = try await lab.server.userKeys.fingerprint(.ecdsa)
        try await lab.addProfile("wrong", ["--no-agent", "--host-key", wrong])
        let result = try await lab.vt.run("--json", "exec", "wrong", "true")
        #expect(try result.jsonError()["code"] as? String == "host-key.changed")
    }

    @Test(arguments: [KeyRing.Kind.ed25519, .ecdsa])
    func `a server with an additional key type is not reported as changed`(_ known: KeyRing.Kind) async throws {
        let server = try await OpenSSHServer(.init(hostKeys: [.ed25519, .ecdsa, .rsa]))
        let vt = try Vt()
        try vt.write(try server.knownHostsLine(known), to: "known_hosts")
        let address = "\(server.user)@127.0.0.1:\(server.port)"
        let key = server.userKeys.path(.ed25519)
        try await vt.check(
            "profile",
            "add",
            "p",
            address,
            "--identity",
            key,
            "--no-agent",
            "--host-key-policy",
            "strict"
        )
        let result = try await vt.run("exec", "p", "true")
        #expect(result.status == .exited(0), "\(result.errorText)")
    }

    @Test func `uses the user's own known_hosts file, including hashed names`() async throws {
        let lab = try await Lab()
        let directory = "\(lab.vt.home)/.ssh"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let line = try lab.server.knownHostsLine()
        try line.write(toFile: "\(directory)/known_hosts", atomically: true, encoding: .utf8)
        try await ProgramCall("ssh-keygen", ["-q", "-H", "-f", "\(directory)/known_hosts"]).check()
        let hashed = try String(contentsOfFile: "\(directory)/known_hosts", encoding: .utf8)
        try #require(hashed.hasPrefix("|1|"))
        let result = try await lab.exec("true")
        #expect(result.status == .exited(0))
        #expect(result.errors.isEmpty)
        #expect(store(lab.vt).isEmpty)
    }

    @Test func `rejects a revoked key`() async throws {
        let lab = try await Lab()
        try lab.vt.write("@revoked * \(try lab.server.hostKeys.publicLine(.ed25519))\n", to: "known_hosts")
        let result = try await lab.vt.run("--json", "exec", "p", "true")
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "host-key.changed")
    }

    @Test func `rejects a host whose line in known_hosts is malformed`() async throws {
        let lab = try await Lab()
        try lab.vt.write("[127.0.0.1]:\(lab.server.port) ssh-ed25519 not-base64!\n", to: "known_hosts")
        let result = try await lab.vt.run("--json", "exec", "p", "true")
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "config")
    }

    @Test func `rejects a host if known_hosts cannot be read`() async throws {
        let lab = try await Lab()
        // known_hosts is a directory, because root can read every file.
        try lab.vt.write("", to: "known_hosts/x")
        let result = try await lab.vt.run("exec", "p", "true")
        #expect(result.status == .exited(255))
        #expect(!lab.server.log.contains("Accepted"))
    }
}
