import Foundation
import TestSupport
import Testing

/// `vt transcribe` with servers.
struct TranscribeServerTests {
    private let vt: Vt
    private let audio = SpeechFixture.wave()
    private let file: String
    private static let token = "sk-SECRET-7"

    init() throws {
        vt = try Vt()
        file = try vt.writeElsewhere("", to: "note.wav")
        try Data(audio).write(to: URL(fileURLWithPath: file))
    }

    private static func parts(_ request: [UInt8]) throws -> (head: String, body: [UInt8], boundary: String) {
        let end = try #require(Data(request).range(of: Data("\r\n\r\n".utf8)))
        let head = String(decoding: request[..<end.lowerBound], as: UTF8.self)
        let boundary = try #require(head.split(separator: "boundary=").last?.prefix { !$0.isNewline })
        return (head, Array(request[end.upperBound...]), String(boundary))
    }

    private func fileParts(_ boundary: String) -> [UInt8] {
        let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"audio.wav\"\r\n"
        return Array("\(head)Content-Type: audio/wav\r\n\r\n".utf8) + audio + Array("\r\n".utf8)
    }

    @Test func `the bytes of a request with only the file`() async throws {
        let server = try SpeechServer(#"{"text":" List all files.\n"}"#)
        let result = try await vt.transcribe(file, engine: "http://127.0.0.1:\(server.port)/transcribe?a=b")
        #expect(result.text == "List all files.\n" && result.errorText == "" && result.exit == 0)
        let (head, body, boundary) = try Self.parts(try #require(server.requests.first))
        #expect(
            head == """
                POST /transcribe?a=b HTTP/1.1\r
                Host: 127.0.0.1:\(server.port)\r
                Connection: close\r
                Accept: application/json, text/plain\r
                Content-Type: multipart/form-data; boundary=\(boundary)\r
                Content-Length: \(body.count)
                """
        )
        #expect(body == fileParts(boundary) + Array("--\(boundary)--\r\n".utf8))
    }

    @Test func `the bytes of a request with a model, a language and a token`() async throws {
        let server = try SpeechServer(type: "text/plain; charset=utf-8", "git status\n")
        let engine = "http://localhost:\(server.port)/v1/audio/transcriptions"
        let options = ["--api", "openai", "--model", "m-1", "--language", "en", "--token-env", "TOKEN", "--json"]
        let result = try await vt.call(
            ["transcribe", file, "--engine", engine] + options,
            environment: ["TOKEN": Self.token]
        ).run()
        let json = try result.json()
        #expect(json["text"] as? String == "git status" && json["engine"] as? String == engine)
        #expect(json["duration_ms"] as? Int == 500 && json["forced"] as? Bool == false)
        let (head, body, boundary) = try Self.parts(try #require(server.requests.first))
        #expect(head.hasPrefix("POST /v1/audio/transcriptions HTTP/1.1\r\nHost: localhost:\(server.port)\r\n"))
        #expect(head.hasSuffix("\r\nAuthorization: Bearer \(Self.token)"))
        let fields = [("model", "m-1"), ("response_format", "json"), ("language", "en")].map { name, value in
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        #expect(body == fileParts(boundary) + Array("\(fields.joined())--\(boundary)--\r\n".utf8))
    }

    @Test func `other formats are sent unchanged`() async throws {
        let server = try SpeechServer(#"{"text":"ok"}"#)
        let flac = try vt.writeElsewhere("fLaC-data", to: "note.FLAC")
        #expect(try await vt.transcribe(flac, engine: "http://127.0.0.1:\(server.port)").text == "ok\n")
        let body = try Self.parts(try #require(server.requests.first)).body
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains("filename=\"audio.flac\"\r\nContent-Type: audio/flac\r\n\r\nfLaC-data\r\n--"))
    }

    struct Answer: Sendable {
        var bytes: String
        var exit: Int32
        var message: String
    }

    private static func answer(_ status: String, _ body: String) -> String {
        answer(status, "application/json", body)
    }

    private static func answer(_ status: String, _ type: String, _ body: String) -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test(arguments: [
        Answer(
            bytes: answer("400 Bad Request", "text/plain", "no\u{1b}[31m model\r\nhere"),
            exit: 76,
            message: "answered 400: no model here"
        ),
        Answer(
            bytes: answer("401 Unauthorized", #"{"error":"bad token sk-SECRET-7"}"#),
            exit: 77,
            message: "answered 401: {\"error\":\"bad token <secret>\"}"
        ),
        Answer(
            bytes: answer("413 Too Large", "text/html", String(repeating: "x", count: 500)),
            exit: 76,
            message: "answered 413: \(String(repeating: "x", count: 200))\n"
        ),
        Answer(bytes: answer("500 Oops", ""), exit: 76, message: "answered 500\n"),
        Answer(
            bytes: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
            exit: 76,
            message: "answered 302, a redirect, which is not followed"
        ),
        Answer(
            bytes: answer("200 OK", "text/html", "<p>hello"),
            exit: 76,
            message: "answered with 'text/html', not with JSON or text: <p>hello"
        ),
        Answer(
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
            exit: 76,
            message: "answered with no content type, not with"
        ),
        Answer(bytes: answer("200 OK", #"{"txt":"a"}"#), exit: 76, message: "answered without a text: {\"txt\""),
        Answer(bytes: answer("200 OK", #"{"text":7}"#), exit: 76, message: "answered without a text"),
        Answer(bytes: answer("200 OK", #"{"text":"a""#), exit: 76, message: "answered with invalid JSON"),
        Answer(
            bytes: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nhe",
            exit: 69,
            message: "closed the connection before the end of its answer"
        ),
        Answer(bytes: "HTTP/1.1 200", exit: 69, message: "closed the connection before the end of its answer"),
        Answer(bytes: "", exit: 69, message: "closed the connection before the end of its answer"),
        Answer(bytes: "SSH-2.0-x\r\n", exit: 76, message: "did not answer with valid HTTP"),
        Answer(
            bytes: answer("200 OK", "text/plain", String(repeating: "a", count: 2 << 20)),
            exit: 76,
            message: "answered with more than 1 MiB"
        ),
        Answer(bytes: answer("200 OK", #"{"text":" [BLANK_AUDIO]\n"}"#), exit: 1, message: "no speech was recognized"),
    ])
    func `answers that are not a text`(_ answer: Answer) async throws {
        let server = try SpeechServer(Array(answer.bytes.utf8))
        for words in [[], ["-v", "--json"]] {
            let result = try await vt.call(
                ["transcribe", file, "--engine", "http://127.0.0.1:\(server.port)/t", "--token-env", "TOKEN"] + words,
                environment: ["TOKEN": Self.token]
            ).run()
            #expect(result.exit == answer.exit && result.text == "", "\(result.errorText)")
            if words == [] { #expect(result.errorText.contains(answer.message), "\(result.errorText)") }
            #expect(!result.errorText.contains(Self.token))
        }
    }

    @Test func `text that is not UTF-8`() async throws {
        for (type, body) in [
            ("text/plain", [0x61, 0xFF]), ("application/json", Array("{\"text\":\"".utf8) + [0xC0, 0x22, 0x7D]),
        ] {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
            let server = try SpeechServer(Array(head.utf8) + body)
            let result = try await vt.transcribe(file, engine: "http://127.0.0.1:\(server.port)/")
            #expect(result.exit == 76 && result.text == "" && result.errorText.contains("not UTF-8"))
        }
    }

    @Test func `an answer without a length ends with the connection`() async throws {
        let server = try SpeechServer(Array("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\ngo up\n".utf8))
        #expect(try await vt.transcribe(file, engine: "http://127.0.0.1:\(server.port)/").text == "go up\n")
    }

    @Test func `an answer before the end of the request`() async throws {
        let large = try vt.writeElsewhere("", to: "large.wav")
        try Data(SpeechFixture.wave(milliseconds: 60_000, channels: 2, rate: 48_000)).write(
            to: URL(fileURLWithPath: large)
        )
        let server = try SpeechServer(
            Array(Self.answer("413 Too Large", "text/plain", "at most 1 MiB").utf8),
            .afterHead
        )
        let result = try await vt.transcribe(large, engine: "http://127.0.0.1:\(server.port)/")
        #expect(result.exit == 76 || result.exit == 69, "\(result.errorText)")
    }

    @Test func `no answer`() async throws {
        for server in [
            try SpeechServer([], .holding), try SpeechServer(Array("HTTP/1.1 200 OK\r\nContent-".utf8), .holding),
        ] {
            let result = try await vt.transcribe(file, "--timeout", "1s", engine: "http://127.0.0.1:\(server.port)/")
            #expect(result.exit == 124 && result.text == "")
            #expect(result.errorText == "vt: '\(file)': the engine did not answer within 1s (--timeout)\n")
        }
        let closed = try LoopbackPort.free()
        #expect(try await vt.transcribe(file, engine: "http://127.0.0.1:\(closed)/").exit == 69)
    }

    @Test func `an answer counts if the server closes without reading the request`() async throws {
        try Data(SpeechFixture.wave(milliseconds: 60_000)).write(to: URL(fileURLWithPath: file))
        let script = """
            import socket, sys
            server = socket.create_server(("127.0.0.1", 0))
            print(server.getsockname()[1], flush=True)
            while True:
                peer = server.accept()[0]
                peer.sendall(b"HTTP/1.1 401 Unauthorized\\r\\nContent-Length: 4\\r\\n\\r\\nnope")
                peer.close()
            """
        let server = try ProgramCall(TestTree.python, ["-c", script]).start()
        let port = try await server.output.read(until: "\n").dropLast()
        for _ in 1...20 {
            let result = try await vt.transcribe(file, engine: "http://127.0.0.1:\(port)/")
            #expect(result.exit == 77 && result.errorText.contains("401"), "\(result.errorText)")
        }
        server.kill()
    }

    @Test func `a certificate must come from a trusted authority`() async throws {
        let files = try ScratchDirectory()
        let certificate = files.path("cert.pem")
        try await ProgramCall(
            "openssl",
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
                + ["-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1"]
                + ["-keyout", files.path("key.pem"), "-out", certificate]
        ).check()
        let server = try ProgramCall(
            TestTree.python,
            [
                "-c",
                """
                import http.server, ssl, sys
                class Engine(http.server.BaseHTTPRequestHandler):
                    def do_POST(self):
                        self.rfile.read(int(self.headers["Content-Length"]))
                        self.send_response(200)
                        self.send_header("Content-Type", "text/plain")
                        self.send_header("Content-Length", "10")
                        self.end_headers()
                        self.wfile.write(b"list files")
                server = http.server.HTTPServer(("127.0.0.1", 0), Engine)
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(sys.argv[1], sys.argv[2])
                server.socket = context.wrap_socket(server.socket, server_side=True)
                print(server.server_port, flush=True)
                server.serve_forever()
                """,
                certificate, files.path("key.pem"),
            ]
        ).start()
        let port = try await server.output.read(until: "\n").dropLast()
        let trusted = try await vt.transcribe(file, "--ca", certificate, engine: "https://127.0.0.1:\(port)/")
        #expect(trusted.text == "list files\n", "\(trusted.errorText)")
        let unknown = try await vt.transcribe(file, engine: "https://127.0.0.1:\(port)/")
        #expect(unknown.exit != 0 && unknown.text == "" && unknown.errorText.contains("--ca FILE"))
        let other = try await vt.transcribe(file, "--ca", certificate, engine: "https://localhost:\(port)/")
        #expect(other.exit == unknown.exit && other.text == "", "a wrong name: \(other.errorText)")
        server.kill()
    }

    @Test func `a token is sent without TLS only to this machine`() async throws {
        for engine in ["http://192.0.2.1/", "http://127.0.0.1.example/", "http://[2001:db8::1]:80/"] {
            let result = try await vt.transcribe(
                file,
                "--token-env",
                "TOKEN",
                engine: engine,
                environment: ["TOKEN": Self.token]
            )
            #expect(result.exit == 64 && result.errorText.contains("a token is not sent"))
        }
    }

    @Test(arguments: [
        ["--engine", "ftp://a/"], ["--engine", "http://"], ["--engine", "http://a b/"], ["--engine", "http://a:0/"],
        ["--engine", "http://a:99999/"], ["--engine", "http://ann:pw7@a/"], ["--engine", "http://a/#b"],
        ["--engine", "command:"], ["--engine", "command:cat"], ["--engine", "command:cat '{file}"],
        ["--engine", "command:cat {file} {grammar}"], ["--engine", "command:cat {file} {language}"],
        ["--engine", "command:cat {file}", "--language", "en"], ["--engine", "command:cat {file}", "--model", "m"],
        ["--engine", "http://a/", "--model", "m"], ["--engine", "http://a/", "--language", "en"],
        ["--engine", "http://a/", "--api", "openai", "--model", "m"], [],
        ["--engine", "http://a/v1/audio/transcriptions", "--api", "openai"],
    ])
    func `command lines that are wrong`(_ words: [String]) async throws {
        let result = try await vt.call(["transcribe", file] + words).run()
        #expect(result.exit == 64 && result.text == "", "\(result.errorText)")
        #expect(!result.errorText.contains("pw7"))
        if words == [] { #expect(result.errorText.contains("--engine") && result.errorText.contains("VT_STT_ENGINE")) }
    }

    @Test func `the memory does not depend on the length of the audio`() async throws {
        func peak(seconds: Int) async throws -> Int {
            try Data(SpeechFixture.wave(milliseconds: seconds * 1000)).write(to: URL(fileURLWithPath: file))
            let server = try SpeechServer([], .holding)
            let running = try vt.start("transcribe", file, "--engine", "http://127.0.0.1:\(server.port)/")
            #expect(await eventually { server.requests.count == 1 })
            let peak = try running.peakResidentBytes()
            print("vt transcribe: \(peak >> 10) KiB with \(seconds) s of audio")
            running.kill()
            return peak
        }
        let (short, long) = (try await peak(seconds: 1), try await peak(seconds: 300))
        #expect(long < short + 1 << 20)
    }
}
