import Core
import NIOHTTP1
import Testing

@testable import Web

struct RequestRulesTests {
    private static let rules = RequestRules([
        WebOrigin(scheme: "http", host: "127.0.0.1:4020"), WebOrigin(scheme: "http", host: "localhost:4020"),
        WebOrigin(scheme: "https", host: "example.org", path: "/vt"),
    ])

    private static func head(_ headers: [String], at uri: String = "/", method: HTTPMethod = .GET) -> HTTPRequestHead {
        var fields = HTTPHeaders()
        for header in headers {
            let parts = header.split(separator: ": ", maxSplits: 1)
            fields.add(name: String(parts[0]), value: String(parts.last ?? ""))
        }
        return HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: fields)
    }

    @Test(arguments: [
        ["Host: 127.0.0.1:4020"], ["Host: LOCALHOST:4020"], ["Host: example.org"], ["Host: example.org:443"],
        ["Host: 127.0.0.1:4020", "Origin: http://localhost:4020"],
        ["Host: example.org", "Origin: https://example.org"],
        ["Host: 127.0.0.1:4020", "Sec-Fetch-Site: same-origin"], ["Host: 127.0.0.1:4020", "Sec-Fetch-Site: none"],
        ["Host: 127.0.0.1:4020", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"],
    ])
    func `requests of the page are answered`(_ headers: [String]) {
        #expect(Self.rules.refusal(of: Self.head(headers)) == nil)
    }

    @Test(arguments: [
        ([], 400), (["Host: 127.0.0.1:4020", "Host: 127.0.0.1:4020"], 400), (["Host: evil.example"], 421),
        (["Host: 127.0.0.1:4021"], 421), (["Host: 127.0.0.1"], 421), (["Host: example.org.evil.example"], 421),
        (["Host: 127.0.0.1:4020", "Origin: http://evil.example"], 403),
        (["Host: 127.0.0.1:4020", "Origin: null"], 403),
        (["Host: 127.0.0.1:4020", "Origin: http://127.0.0.1:8080"], 403),
        (["Host: 127.0.0.1:4020", "Sec-Fetch-Site: cross-site"], 403),
        (["Host: 127.0.0.1:4020", "Sec-Fetch-Site: same-site"], 403),
        (["Host: 127.0.0.1:4020", "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"], 403),
    ])
    func `other requests are refused`(_ headers: [String], _ status: Int) {
        #expect(Self.rules.refusal(of: Self.head(headers)).map { Int($0.code) } == status)
    }

    @Test(arguments: ["/app.js", "/ws", "/vt/ws", "/download/x"])
    func `a link on another site leads only to the page`(_ path: String) {
        let headers = ["Host: 127.0.0.1:4020", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]
        #expect(Self.rules.refusal(of: Self.head(headers, at: path)) == .forbidden)
        #expect(Self.rules.refusal(of: Self.head(headers, at: "/vt/")) == nil)
    }

    @Test(arguments: [("/", ""), ("/vt/", ""), ("/vt/app.js", "app.js"), ("/app.js?x=1", "app.js"), ("/vtx", "vtx")])
    func `the public path is optional`(_ uri: String, _ path: String) {
        #expect(Self.rules.path(of: Self.head([], at: uri)) == path)
    }

    @Test func `only reading is allowed`() {
        let host = ["Host: 127.0.0.1:4020"]
        #expect(Self.rules.refusal(of: Self.head(host, method: .POST)) == .methodNotAllowed)
        #expect(Self.rules.refusal(of: Self.head(host, method: .HEAD)) == nil)
    }

    @Test(arguments: [HTTPMethod.GET, .POST, .PATCH, .DELETE])
    func `only requests for programs may change something`(_ method: HTTPMethod) {
        let head = Self.head(["Host: 127.0.0.1:4020"], at: "/api/sessions", method: method)
        #expect(Self.rules.refusal(of: head, isForPrograms: true) == nil)
        #expect(Self.rules.refusal(of: head) == (method == .GET ? nil : .methodNotAllowed))
        let foreign = Self.head(["Host: 127.0.0.1:4020", "Origin: http://evil.example"], method: method)
        #expect(Self.rules.refusal(of: foreign, isForPrograms: true) == .forbidden)
    }
}
