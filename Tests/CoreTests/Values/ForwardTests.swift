import Core
import Testing

@Suite struct ForwardTests {
    private static let web = ForwardAddress.endpoint(Endpoint(host: "web", port: 80))

    static let forwards: [(text: String, listener: Forward.Listener, target: ForwardAddress)] = [
        ("8080:web:80", .port(8080, bindAddress: nil), web),
        ("0:web:80", .port(0, bindAddress: nil), web),
        ("localhost:8080:web:80", .port(8080, bindAddress: "localhost"), web),
        ("*:8080:web:80", .port(8080, bindAddress: ""), web),
        (":8080:web:80", .port(8080, bindAddress: ""), web),
        ("[::1]:8080:web:80", .port(8080, bindAddress: "::1"), web),
        ("8080:[fe80::1%lo]:80", .port(8080, bindAddress: nil), .endpoint(Endpoint(host: "fe80::1%lo", port: 80))),
        ("8080:/run/s", .port(8080, bindAddress: nil), .socket("/run/s")),
        ("[::]:8080:/run/s", .port(8080, bindAddress: "::"), .socket("/run/s")),
        ("/run/l:web:80", .socket("/run/l"), web),
        ("/run/l:/run/s", .socket("/run/l"), .socket("/run/s")),
        (#"/run/a\:b:[/run/c:d]"#, .socket("/run/a:b"), .socket("/run/c:d")),
    ]

    @Test(arguments: forwards)
    func `parses ssh syntax`(text: String, listener: Forward.Listener, target: ForwardAddress) throws {
        let expected = Forward(.remote, listener: listener, target: target)
        #expect(try Forward(.remote, parsing: text) == expected)
    }

    static let mistakes = [
        "", "8080", ":", "8080:web", "8080:web:0", "8080:web:99999", "99999:web:80", "x:web:80", "a:b:8080:web:80",
        "8080:::1:80", "[::1:8080:web:80", "[::1]8080:web:80", "8080:web:80:", #"8080:web:80\"#, "/run/s",
        "8080:web:80x", "8080: web:80", "-1:web:80",
    ]

    @Test(arguments: mistakes)
    func `rejects other text`(text: String) {
        let error = #expect(throws: VTError.self) { try Forward(.local, parsing: text) }
        #expect(error?.code == .usage)
    }

    static let dynamic: [(text: String, listener: Forward.Listener)] = [
        ("1080", .port(1080, bindAddress: nil)), ("*:1080", .port(1080, bindAddress: "")),
        ("[::1]:1080", .port(1080, bindAddress: "::1")), ("/run/s", .socket("/run/s")),
    ]

    @Test(arguments: dynamic)
    func `parses SOCKS listeners`(text: String, listener: Forward.Listener) throws {
        #expect(try Forward(dynamic: text) == Forward(.local, listener: listener, target: nil))
    }

    @Test(arguments: ["", "x", "1080:web", "a:b:1080", "1080:web:80"])
    func `rejects other SOCKS listeners`(text: String) {
        #expect(throws: VTError.self) { try Forward(dynamic: text) }
    }

    @Test func `parses the target of a single connection`() throws {
        #expect(try ForwardAddress(parsing: "[::1]:22") == .endpoint(Endpoint(host: "::1", port: 22)))
        #expect(try ForwardAddress(parsing: "/run/s") == .socket("/run/s"))
        for text in ["web", "web:", ":22", "::1:22", "a:b:22"] {
            #expect(throws: VTError.self, "\(text)") { try ForwardAddress(parsing: text) }
        }
    }

    @Test func `applies the forwarding options of ssh_config`() throws {
        var settings = HostSettings()
        for text in ["LocalForward 8080 web:80", "GatewayPorts no", "Compression yes", "DynamicForward 1080"] {
            try settings.apply(text)
        }
        #expect(settings.forwards == [try Forward(.local, parsing: "8080:web:80"), try Forward(dynamic: "1080")])
        #expect(settings.acceptsFromAnywhere == false)
    }
}
