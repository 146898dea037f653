import Foundation
import TestSupport
import Testing

/// Servers whose algorithms OpenSSH supports, but libssh2 does not.
@Suite(.crowded)
struct HardenedServerTests {
    private func hint(_ vt: Vt, _ words: String...) async throws -> String {
        let result = try await vt.call(["--json", "exec"] + words + ["true"]).run()
        let error = try result.jsonError()
        #expect(error["code"] as? String == "protocol", "\(result.errorText)")
        return try #require(error["hint"] as? String)
    }

    @Test(arguments: [true, false])
    func `the error names a command after which the server can be used`(_ sharesConnections: Bool) async throws {
        let lines = ["KexAlgorithms sntrup761x25519-sha512@openssh.com"]
        let lab = try await Lab(.init(lines: lines), sharesConnections: sharesConnections)
        let hint = try await hint(lab.vt, "p")
        let (server, key) = (lab.server, lab.server.userKeys.path(.ed25519))
        let command = try #require(hint.split(separator: "to connect with ssh: ").last)
        let option = "-o StrictHostKeyChecking=accept-new"
        let words = "ssh -p \(server.port) -i \(key) \(option) \(server.user)@127.0.0.1 {line}"
        #expect(command == "vt profile edit p --via '\(words)'")
        #expect(!hint.contains("libssh2"))
        // ssh writes to the known_hosts file of the user who runs the tests.
        let tried = command.replacing(
            option,
            with: "-F none -o UserKnownHostsFile=/dev/null -o StrictHostKeyChecking=no"
        )
        let result = try await lab.vt.bash("\(tried) && vt exec p 'echo in' && vt ssh p 'echo in'")
        #expect(result.text == "in\nin\n", "\(result.errorText)")
    }

    @Test func `the command adds a profile for a server without one, and names the jump hosts`() async throws {
        let lab = try await Lab(.init(lines: ["KexAlgorithms sntrup761x25519-sha512@openssh.com"]))
        let server = lab.server
        let address = "\(server.user)@127.0.0.1:\(server.port)"
        let start = "vt profile add 127.0.0.1 --via 'ssh -p \(server.port) "
        let end = "-o StrictHostKeyChecking=accept-new \(server.user)@127.0.0.1 {line}'"
        #expect(try await hint(lab.vt, address).hasSuffix("to connect with ssh: \(start)\(end)"))
        let gate = try await OpenSSHServer()
        try await lab.addProfile("gate", port: gate.port)
        try await lab.addProfile("far", ["--no-agent", "--jump", "gate"])
        let far = try await hint(lab.vt, "far")
        #expect(far.contains(" -J \(server.user)@127.0.0.1:\(gate.port) "), "\(far)")
    }
}
