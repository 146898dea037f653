import TestSupport
import Testing

/// The certificates of servers.
struct VibeTunnelTLSTests {
    private let vt: Vt
    private let files: ScratchDirectory

    init() throws {
        vt = try Vt()
        files = try ScratchDirectory()
    }

    /// Makes a certificate that is its own authority; with `days` of 0, it has expired.
    private func certificate(_ alternative: String, days: Int = 2) async throws -> (certificate: String, key: String) {
        let (certificate, key, request) = (files.path("cert.pem"), files.path("key.pem"), files.path("request.pem"))
        try await ProgramCall(
            "openssl",
            ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=test"]
                + ["-addext", "subjectAltName=\(alternative)", "-keyout", key, "-out", request]
        ).check()
        try await ProgramCall(
            "openssl",
            ["x509", "-req", "-in", request, "-signkey", key, "-days", "\(days)", "-copy_extensions", "copy"]
                + ["-out", certificate]
        ).check()
        return (certificate, key)
    }

    /// Lists the sessions of a server that has the certificate and, once TLS is established, answers with a page.
    private func list(
        _ files: (certificate: String, key: String),
        trusting: Bool,
        environment: [String: String] = [:]
    ) async throws -> ProgramResult {
        let port = try LoopbackPort.free()
        let words = ["s_server", "-quiet", "-www", "-accept", "127.0.0.1:\(port)"]
        let server = try ProgramCall("openssl", words + ["-cert", files.certificate, "-key", files.key]).start()
        defer { server.kill() }
        #expect(await eventually { LoopbackPort.accepts(port) })
        let ca = trusting ? ["--ca", files.certificate] : []
        try await vt.call(
            ["profile", "add", "mac", "--replace", "--vibetunnel", "https://127.0.0.1:\(port)"] + ca
        ).check()
        return try await vt.run("--json", "sessions", "list", "mac", environment: environment)
    }

    @Test func `a certificate is trusted only if its authority is known, it has not expired, and it names the server`()
        async throws
    {
        let trusted = try await list(try await certificate("IP:127.0.0.1"), trusting: true)
        #expect(trusted.status == .exited(76))
        let named = try await certificate("IP:127.0.0.1")
        let variable = try await list(named, trusting: false, environment: ["SSL_CERT_FILE": named.certificate])
        #expect(variable.status == .exited(76), "\(variable.errorText)")
        for (alternative, days, trusting) in [
            ("IP:127.0.0.1", 2, false), ("IP:127.0.0.2", 2, true), ("IP:127.0.0.1", 0, true),
        ] {
            let result = try await list(try await certificate(alternative, days: days), trusting: trusting)
            let error = try result.jsonError()
            #expect(error["code"] as? String == "tls.untrusted", "\(alternative) \(days): \(result.errorText)")
            #expect((error["hint"] as? String)?.contains("--ca") == true)
        }
    }
}
