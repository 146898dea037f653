import Foundation
import TestSupport
import Testing

/// `vt serve` and `vt share`, with raw requests and a client that is not a browser.
@Suite(.crowded)
struct PageTests {
    @Test(arguments: [
        "requests", "heads", "frames", "logins", "roles", "links", "names", "clients", "places", "answers", "equality",
        "history", "flood", "sizes", "timeline", "question",
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
            #"[0.5,"r","100x30"]"#, #"[0,"o",7]"#, #"[0,"o","two"]"#,
        ]
        let path = try files.write(events.joined(separator: "\n") + "\n", to: "demo.cast")
        let lab = try await PageLab(path, sessions: [:])
        let result = try await lab.run("recording")
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
        let errors = String(decoding: await lab.server.errors.readToEnd(), as: UTF8.self)
        #expect(errors.hasPrefix("vt: '\(path)': line 5: "), "\(errors)")
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
        let result = try await lab.run("tls", [certificate])
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
        let swapped = try await lab.vt.run("serve", "--tls-cert", key, "--tls-key", certificate)
        #expect(swapped.status == .exited(78) && swapped.errorText.contains("cannot read the certificates in"))
        let missing = try await lab.vt.run("serve", "--tls-cert", certificate, "--tls-key", files.path("no.pem"))
        #expect(missing.errorText.contains("cannot read the key in"), "\(missing.errorText)")
        let protected = files.path("protected.pem")
        let words = ["ec", "-in", key, "-aes256", "-passout", "pass:x", "-out", protected]
        try await ProgramCall("openssl", words).check()
        let refused = try await lab.vt.run("serve", "--tls-cert", certificate, "--tls-key", protected)
        #expect(refused.status == .exited(78) && refused.errorText.contains("without a passphrase"))
        let other = files.path("other.pem")
        try await ProgramCall("openssl", ["ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", other]).check()
        let mismatched = try await lab.vt.run("serve", "--tls-cert", certificate, "--tls-key", other)
        #expect(mismatched.errorText.contains("does not belong to"), "\(mismatched.errorText)")
    }

    @Test func `recordings with the same name are told apart`() async throws {
        let files = try ScratchDirectory()
        let recording = #"{"version":2,"width":80,"height":24}"# + "\n[0.1,\"o\",\"x\"]\n"
        let paths = try ["a", "b"].map { directory in
            try FileManager.default.createDirectory(atPath: files.path(directory), withIntermediateDirectories: true)
            return try files.write(recording, to: "\(directory)/demo.cast")
        }
        let lab = try await PageLab(paths[0], paths[1], paths[0], sessions: [:])
        for path in paths { try await lab.vt.call(["share", path]).check() }
        let unknown = try await lab.vt.run("share", "demo.cast")
        #expect(unknown.status == .exited(66) && unknown.errorText.contains("served are '\(paths[0])', "))
        let write = try await lab.vt.run("share", paths[0], "--write")
        #expect(write.status == .exited(64) && write.errorText.contains("takes no input"))
        try await lab.end()
    }

    @Test func `a server without its output ends`() async throws {
        let vt = try Vt()
        let full = try await vt.bash("exec timeout 20 vt serve --listen 127.0.0.1:0 >/dev/full")
        #expect(full.exit == 74, "\(full.errorText)")
        let closed = try await vt.bash("exec timeout 20 vt serve --listen 127.0.0.1:0 >&-")
        #expect(closed.exit == 74, "\(closed.errorText)")
    }

    @Test func `a server does not wait for the reader of its events`() async throws {
        let lab = try await PageLab()
        let result = try await lab.run("refused")
        #expect(result.text == "ok\n", "\(result.errorText)")
        var text = try await lab.server.output.read(until: "\n")
        // The next event says how many are missing.
        let next = try await lab.run("names")
        #expect(next.text == "ok\n", "\(next.errorText)")
        while !text.contains("dropped") || !text.hasSuffix("\n") {
            text += try await lab.server.output.read(until: "\n")
        }
        let events = try text.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let last = try #require(events.firstIndex { $0["event"] as? String == "dropped" })
        let dropped = try #require(events[last]["count"] as? Int)
        // 1500 pages were refused; one joined and left.
        #expect(last + dropped == 1502, "\(last) before \(dropped)")
        try await lab.end()
    }

    @Test func `the end of a link ends its downloads`() async throws {
        let lab = try await PageLab(
            sessions: ["long": ["sh", "-c", "head -c 12000000 /dev/urandom | base64; echo ready; exec cat"]]
        )
        let result = try await lab.run("revoked_download")
        #expect(result.text == "ok\n", "\(result.errorText)")
        try await lab.end()
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
        #expect(missing.errorText.contains(#""hint":"to start one, use 'vt serve'""#))
    }
}
