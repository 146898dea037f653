import TestSupport
import Testing

/// Servers that accept only algorithms that libssh2 supports since 1.11.
@Suite(.crowded)
struct ServerAlgorithmTests {
    static let servers: [OpenSSHServer.Options] = [
        .init(hostKeys: [.rsa]),
        .init(lines: ["Ciphers chacha20-poly1305@openssh.com"]),
        .init(lines: ["Ciphers aes256-gcm@openssh.com"]),
        .init(lines: ["Ciphers aes128-gcm@openssh.com"]),
        .init(lines: ["Ciphers aes256-ctr", "MACs hmac-sha2-512-etm@openssh.com"]),
        .init(lines: ["Ciphers aes256-ctr", "MACs hmac-sha2-256-etm@openssh.com"]),
    ]

    @Test(arguments: servers)
    func `a hardened server is used if the library can, and refused otherwise`(
        _ options: OpenSSHServer.Options
    ) async throws {
        let server = try await OpenSSHServer(options)
        let vt = try Vt()
        let words = ["profile", "add", "p", "\(server.user)@127.0.0.1:\(server.port)", "--no-agent"]
        try await vt.call(words + ["--identity", server.userKeys.path(.ed25519)]).check()
        let result = try await vt.run("exec", "p", "cat; exit 3", input: noise(300_000))
        let version = try #require(try await vt.check("version", "--json").firstMatch(of: /"libssh2":"1\.(\d+)/))
        if try #require(Int(version.output.1)) >= 11 {
            #expect(result.status == .exited(3), "\(result.errorText)")
            #expect(result.output == noise(300_000))
        } else {
            #expect(result.status == .exited(255))
            #expect(result.errorText.contains("(protocol)"), "\(result.errorText)")
        }
    }
}
