import Foundation
import TestSupport
import Testing

/// Tests the server fixture with the real `ssh`, independently of vt.
struct OpenSSHServerTests {
    @Test func `ssh returns a command's output and exit status`() async throws {
        let server = try await OpenSSHServer()
        let result = try await server.ssh([], ["echo out; echo err >&2; exit 42"]).run()
        #expect(result.status == .exited(42))
        #expect(result.text == "out\n")
        #expect(result.errorText == "err\n")
    }

    @Test(arguments: KeyRing.Kind.allCases.filter { $0 != .encrypted })
    func `the server accepts each kind of unencrypted user key`(_ kind: KeyRing.Kind) async throws {
        let server = try await OpenSSHServer()
        let call = try server.ssh(["IdentityFile=\(server.userKeys.path(kind))"], ["echo \(kind)"])
        #expect(try await call.check() == "\(kind)\n")
    }

    @Test func `the server presents a host key of each requested kind`() async throws {
        let kinds: [KeyRing.Kind] = [.ed25519, .ecdsa, .rsa]
        let server = try await OpenSSHServer(.init(hostKeys: kinds))
        for (kind, algorithm) in zip(kinds, ["ssh-ed25519", "ecdsa-sha2-nistp256", "rsa-sha2-512"]) {
            let call = try server.ssh(["HostKeyAlgorithms=\(algorithm)"], ["echo \(kind)"])
            #expect(try await call.check() == "\(kind)\n")
        }
    }

    @Test(arguments: ["/bin/bash", "/bin/dash", "/usr/bin/fish"])
    func `a port uses the shell assigned to it`(_ shell: String) async throws {
        let server = try await OpenSSHServer(.init(loginShells: [shell]))
        let port = try #require(server.shellPorts[shell])
        let line = "true; sh -c 'ps -o comm= -p $PPID'; true"
        let result = try await server.ssh(port: port, [line]).run()
        #expect(result.text == (shell as NSString).lastPathComponent + "\n")
    }

    @Test func `commands have the server's own home, and no process outlives the server`() async throws {
        let server = try await OpenSSHServer()
        let call = try server.ssh([], [#"echo "$HOME"; exec sleep 4321"#])
        let running = try call.start()
        try await running.output.read(until: "\(server.home)\n")
        #expect(server.commands.contains("sleep 4321"))
        server.stop()
        #expect(server.processes.isEmpty)
        #expect(try await running.wait() == .exited(255))
    }
}
