import Foundation
import TestSupport
import Testing

/// Logins with certificates for user keys (ssh-keygen(1), CERTIFICATES).
@Suite(.crowded)
struct CertificateTests {
    /// A lab whose server trusts a certificate authority, and a key that only this authority has certified.
    private struct CertifiedLab {
        let lab: Lab
        let keys: KeyRing
        /// The server reads the file with the authority's key at each login.
        private let authority: KeyRing
        /// The path of the private key, next to which is the certificate.
        let key: String

        init(_ kind: KeyRing.Kind) async throws {
            authority = try await KeyRing()
            let authorityKey = authority.path(.ed25519)
            lab = try await .met(.init(lines: ["TrustedUserCAKeys \(authorityKey).pub"]))
            keys = try await KeyRing([kind])
            key = keys.path(kind)
            let names = ["-I", "test", "-n", lab.server.user]
            try await ProgramCall("ssh-keygen", ["-q", "-s", authorityKey] + names + ["\(key).pub"]).check()
        }

        func run(_ options: [String], agent: SSHAgent? = nil) async throws -> ProgramResult {
            let host = ["-F", "none", "-p", "\(lab.server.port)", "\(lab.server.user)@127.0.0.1", "echo ok"]
            let environment = agent.map { ["SSH_AUTH_SOCK": $0.socket] } ?? [:]
            return try await lab.vt.call(["ssh"] + options + host, environment: environment).run()
        }
    }

    @Test(arguments: [KeyRing.Kind.ed25519, .ecdsa, .rsa])
    func `a certificate next to the key, or named by an option, logs in`(_ kind: KeyRing.Kind) async throws {
        let certified = try await CertifiedLab(kind)
        let result = try await certified.run(["-i", certified.key])
        #expect(result.text == "ok\n", "\(result.errorText)")
        let moved = try certified.lab.vt.writeElsewhere(
            try String(contentsOfFile: "\(certified.key)-cert.pub", encoding: .utf8),
            to: "certificate"
        )
        try FileManager.default.removeItem(atPath: "\(certified.key)-cert.pub")
        let named = ["-i", certified.key, "-oCertificateFile=\(moved)"]
        #expect(try await certified.run(named).text == "ok\n")
        #expect(try await certified.run(["-i", certified.key]).status == .exited(255))
        let excluded = try await certified.run(named + ["-oPubkeyAcceptedAlgorithms=-*-cert-*"])
        #expect(excluded.errorText.contains("rejected user"), "\(excluded.errorText)")
    }

    @Test(arguments: [KeyRing.Kind.ed25519, .ecdsa, .rsa])
    func `the agent signs for a certificate that it holds, or that is in a file`(_ kind: KeyRing.Kind) async throws {
        let certified = try await CertifiedLab(kind)
        // ssh-add(1) adds the certificate, too.
        let both = try await SSHAgent(certified.keys, [kind])
        let result = try await certified.run([], agent: both)
        #expect(result.text == "ok\n", "\(result.errorText)")
        let moved = try certified.lab.vt.writeElsewhere(
            try String(contentsOfFile: "\(certified.key)-cert.pub", encoding: .utf8),
            to: "certificate"
        )
        try FileManager.default.removeItem(atPath: "\(certified.key)-cert.pub")
        let keyOnly = try await SSHAgent(certified.keys, [kind])
        let named = try await certified.run(["-oCertificateFile=\(moved)", "-oIdentitiesOnly=yes"], agent: keyOnly)
        #expect(named.text == "ok\n", "\(named.errorText)")
    }

    @Test func `a certificate without a private key is named in the error`() async throws {
        let certified = try await CertifiedLab(.ed25519)
        let file = "\(certified.key)-cert.pub"
        let result = try await certified.run(["-oCertificateFile=\(file)", "-oIdentityFile=none"])
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("no private key for the certificate '\(file)'"), "\(result.errorText)")
    }
}
