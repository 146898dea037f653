import Foundation
import TestSupport
import Testing

/// `vt serve` and `vt share`, with raw requests and a client that is not a browser.
@Suite(.crowded)
struct PageTests {
    @Test(arguments: [
        "requests", "heads", "frames", "logins", "roles", "links", "clients", "answers", "equality", "history", "flood",
        "timeline",
    ])
    func `pages of a shell`(_ name: String) async throws {
        let lab = try await PageLab()
        let result = try await lab.run(name)
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
        let (events, errors) = await (lab.server.output.readToEnd(), lab.server.errors.readToEnd())
        #expect(!String(decoding: events + errors, as: UTF8.self).contains(lab.token))
    }

    @Test func `input arrives once and in order across cut connections`() async throws {
        let lab = try await PageLab(sessions: ["cat": ["sh", "-c", "stty -echo; echo ready; exec cat"]])
        let result = try await lab.run("input")
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
    }

    @Test func `a page shows a recording at any time`() async throws {
        let files = try ScratchDirectory()
        let events = [
            #"{"version":3,"term":{"cols":80,"rows":24}}"#, #"[1,"o","one"]"#, #"[0.5,"m","mark"]"#,
            #"[0.5,"r","100x30"]"#, #"[0,"o","two"]"#,
        ]
        let path = try files.write(events.joined(separator: "\n") + "\n", to: "demo.cast")
        let lab = try await PageLab(path, sessions: [:])
        let result = try await lab.run("recording")
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
    }

    @Test func `a certificate encrypts the connections`() async throws {
        let files = try ScratchDirectory()
        let (certificate, key) = (files.path("cert.pem"), files.path("key.pem"))
        try await ProgramCall(
            "openssl",
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
                + ["-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate]
        ).check()
        let lab = try await PageLab("--tls-cert", certificate, "--tls-key", key)
        let result = try await lab.run("tls", certificate)
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
        let swapped = try await lab.vt.run("serve", "--tls-cert", key, "--tls-key", certificate)
        #expect(swapped.status == .exited(78))
    }

    @Test func `a page shows how a program ended`() async throws {
        let lab = try await PageLab(sessions: ["short": ["sh"]])
        let result = try await lab.run("ended")
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
    }

    @Test func `another address must be allowed, and the server must be running`() async throws {
        let vt = try Vt()
        for words in [["192.0.2.1:0"], ["0.0.0.0:0", "--plain-http"]] {
            let refused = try await vt.call(["serve", "--listen"] + words).run()
            #expect(refused.status == .exited(64))
        }
        let missing = try await vt.run("share", "shell", "--json")
        #expect(missing.status == .exited(66))
        #expect(missing.errorText.contains(#""hint":"vt serve""#))
    }
}
