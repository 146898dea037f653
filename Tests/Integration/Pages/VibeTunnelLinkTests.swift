import Foundation
import TestSupport
import Testing

/// The logins and links of clients of `vt serve --vibetunnel`.
@Suite(.crowded)
struct VibeTunnelLinkTests {
    private static let sessions = ["shell": ["bash", "--norc", "-i"], "other": ["cat"]]

    private static func path(of session: String, in lab: PageLab) async throws -> String {
        let shown = try await lab.vt.run("sessions", "show", session, "--json").json()
        return "/api/sessions/\(try #require(shown["id"] as? String))"
    }

    private func password(_ password: String?, of user: String = "x") -> String {
        JSON.text(["userId": user, "password": password].compactMapValues { $0 })
    }

    @Test func `credentials of clients of VibeTunnel`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: Self.sessions)
        let (client, stranger) = (lab.client, lab.client.with())
        #expect(
            try await stranger.get("/api/auth/config").json
                == #"{"disallowUserPassword":false,"enableSSHKeys":false,"noAuth":false,"passwordAuthMode":"configured"}"#
        )
        #expect(try await stranger.get("/api/auth/current-user").status == 401)
        let user = try #require(try await client.get("/api/auth/current-user").object["userId"] as? String)
        #expect(try await stranger.get("/api/auth/challenge").status == 404)
        let login = try await stranger.post("/api/auth/password", password(lab.token, of: user)).object
        #expect(login["success"] as? Bool == true && login["userId"] as? String == user)
        #expect(login["authMethod"] as? String == "password")
        let verified = try await client.bearing(#require(login["token"] as? String)).get("/api/auth/verify")
        #expect(try verified.json == JSON.text(["valid": true, "userId": user]))
        #expect(try await stranger.get("/api/sessions?token=\(lab.token)").status == 200)
        #expect(try await client.bearing(lab.token).post("/api/auth/logout").json == VibeTunnelFacts.success)
        #expect(try await stranger.frames(path: "/ws?token=\(lab.token)").status == 101)
        #expect(try await stranger.frames().status == 401)
        #expect(try await stranger.post("/api/auth/password", password(nil, of: user)).status == 400)
        try await lab.endQuietly()
    }

    @Test(arguments: [false, true])
    func `the role of a link`(mayWrite: Bool) async throws {
        let lab = try await PageLab("--vibetunnel", sessions: Self.sessions)
        let path = try await Self.path(of: "shell", in: lab)
        let given = lab.client.bearing(try await mayWrite ? lab.share("shell", "--write") : lab.share("shell"))
        let (one, list) = (try await given.get(path).object, try await given.get("/api/sessions"))
        let listed = try #require(try JSON.value(list.body) as? [[String: Any]])
        for session in [one] + listed { #expect(session["readOnly"] as? Bool == (mayWrite ? nil : true)) }
        #expect(listed.map { "/api/sessions/\($0["id"] as? String ?? "")" } == [path])
        #expect(try await given.get(Self.path(of: "other", in: lab)).status == 404)
        let status = mayWrite ? 200 : 403
        for (method, path, body) in [
            ("POST", "\(path)/input", #"{"text":"true\r"}"#), ("POST", "\(path)/resize", #"{"cols":80,"rows":24}"#),
            ("PATCH", path, #"{"name":"shell"}"#), ("POST", "/api/cleanup-exited", "{}"),
        ] {
            #expect(try await given.call(method, path, body).status == status, "\(method) \(path)")
        }
        #expect(try await given.post("/api/sessions", #"{"command":["true"]}"#).status == 403)
        if !mayWrite {
            #expect(try await given.delete(path).status == 403)
            #expect(try await given.delete("\(path)/cleanup").status == 403)
            let peer = try await given.frames()
            try peer.send(30, (path as NSString).lastPathComponent, "x".utf8)
            #expect(try await peer.until(.failure).text == #"{"message":"This link does not allow typing"}"#)
        }
        try await lab.endQuietly()
    }

    @Test func `a signal that does not exist is an error and ends nothing`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: Self.sessions)
        let shell = (try await Self.path(of: "shell", in: lab) as NSString).lastPathComponent
        let peer = try await lab.client.frames()
        try peer.send(33, shell, "NOSUCH".utf8)
        #expect(try await peer.until(.failure).text == #"{"message":"Unknown signal: NOSUCH"}"#)
        #expect(try await lab.client.state(shell) == "running")
        try await lab.endQuietly()
    }

    @Test func `a link that is revoked ends its connections`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: Self.sessions)
        let path = try await Self.path(of: "shell", in: lab)
        let shell = (path as NSString).lastPathComponent
        let given = lab.client.bearing(try await lab.share("shell"))
        let (stream, peer) = (try await given.stream(shell), try await given.frames())
        try peer.subscribe(shell, 5)
        _ = try await peer.until(.output)
        #expect(try await eventually { try !stream.events.isEmpty })
        let link = try await lab.lastLink()
        #expect(link["pages"] as? Int == 1)
        try await lab.vt.check("share", "--revoke", #require(link["link"] as? String))
        #expect(try await peer.socket.closing() == 4403)
        #expect(await eventually(within: .seconds(30)) { stream.hasEnded })
        #expect(try await given.get(path).status == 401)
        try await lab.endQuietly()
    }

    @Test func `a link that can be used once gives a token to the first login`() async throws {
        let lab = try await PageLab("--vibetunnel", sessions: Self.sessions)
        let (path, stranger) = (try await Self.path(of: "shell", in: lab), lab.client.with())
        let once = try await lab.share("shell", "--once")
        #expect(try await stranger.with(VibeTunnelClient.basic(once)).get(path).status == 401)
        let login = try await stranger.post("/api/auth/password", password(once)).object
        #expect(try await stranger.post("/api/auth/password", password(once)).status == 401)
        #expect(try await stranger.bearing(#require(login["token"] as? String)).get(path).status == 200)
        try await lab.endQuietly()
    }

    @Test func `scripts of other sites and wrong names are refused, and failures do not keep out a valid token`()
        async throws
    {
        let lab = try await PageLab("--vibetunnel", sessions: Self.sessions)
        let (client, stranger) = (lab.client, lab.client.with())
        for field in ["Origin: http://evil.example", "Sec-Fetch-Site: cross-site"] {
            #expect(try await stranger.adding(field).get("/api/health").status == 403, "\(field)")
            #expect(try await client.adding(field).frames().status == 403, "\(field)")
        }
        let misdirected = "GET /api/health HTTP/1.1\r\nHost: evil.example\r\n\r\n"
        #expect(try await RawConnection.answer(to: misdirected.utf8, port: lab.port).status == 421)
        // Failures by a query, which any site can cause, are not counted.
        let path = try await Self.path(of: "shell", in: lab)
        let wrong = String(repeating: "0", count: 32)
        for _ in 0..<12 { #expect(try await stranger.get("\(path)?token=\(wrong)").status == 401) }
        var statuses: [Int] = []
        for _ in 0..<11 {
            statuses.append(try await stranger.with(VibeTunnelClient.basic(wrong)).get(path).status)
        }
        #expect(statuses.first == 401 && statuses.last == 429, "\(statuses)")
        #expect(try await stranger.bearing(wrong).get(path).status == 429)
        #expect(try await stranger.post("/api/auth/password", password(wrong)).status == 429)
        #expect(try await stranger.get("\(path)?token=\(wrong)").status == 401)
        #expect(try await client.get(path).status == 200)
        #expect(try await stranger.post("/api/auth/password", password(lab.token)).status == 200)
        try await lab.endQuietly()
    }
}
