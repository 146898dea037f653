import Core
import Runtime

/// Makes, lists and revokes links of the server on this machine: `vt share`.
package struct ShareService: Sendable {
    private let web: any WebServer
    private let path: String

    /// `path` is that of the server's control socket.
    package init(web: any WebServer, path: String) {
        (self.web, self.path) = (web, path)
    }

    /// Makes a link to a session or, without one, another link for the owner; the result contains its address.
    ///
    /// - Throws: `not-found` when no server is running, or when it does not serve the session.
    package func share(
        _ reference: SessionReference?,
        _ role: PageRole,
        isOnce: Bool,
        isReusable: Bool,
        lifetime: Duration
    ) async throws(VTError) -> PageLink {
        var call = ShareCall(.share)
        (call.session, call.role) = (reference?.text ?? "", role)
        (call.isOnce, call.isReusable) = (isOnce, isReusable)
        call.lifetimeMilliseconds = Int64(lifetime.wholeMilliseconds)
        guard let link = try await perform(call).first else {
            throw VTError(.protocolViolation, "'vt serve' did not return a link")
        }
        return link
    }

    package func links() async throws(VTError) -> [PageLink] {
        try await perform(ShareCall(.list))
    }

    /// - Throws: `not-found`.
    package func revoke(_ link: String) async throws(VTError) {
        var call = ShareCall(.revoke)
        call.link = link
        _ = try await perform(call)
    }

    private func perform(_ call: ShareCall) async throws(VTError) -> [PageLink] {
        let channel: any SessionChannel
        do throws(VTError) {
            channel = try await web.control(at: path)
        } catch {
            guard error.code == .notFound else { throw error }
            throw VTError(.notFound, "no 'vt serve' is running on this machine", hint: "to start one, use 'vt serve'")
        }
        return try await withCleanup(channel.close) { () async throws(VTError) in
            try await answer(to: call, over: channel)
        }
    }

    private func answer(to call: ShareCall, over channel: any SessionChannel) async throws(VTError) -> [PageLink] {
        try await channel.write(SessionFrame.call(call.json).encoded)
        var decoder = SessionFrameDecoder()
        var links: [PageLink] = []
        while let bytes = try await channel.read() {
            decoder.append(bytes)
            while let frame = try decoder.next() {
                switch frame {
                case .result(let json):
                    guard let outline = try? JSONOutlineParser.parse(json),
                        let link = try? PageLink(outline, in: json)
                    else { throw VTError(.protocolViolation, "unexpected response from 'vt serve'") }
                    links.append(link)
                case .done: return links
                case .failure(let error): throw error
                default: throw VTError(.protocolViolation, "unexpected response from 'vt serve'")
                }
            }
        }
        throw VTError(.hostUnreachable, "lost the connection to 'vt serve'")
    }
}

/// A request of a command to the server on this machine, as a JSON object.
struct ShareCall: Sendable {
    enum Verb: String, JSONReadable, CaseIterable {
        /// Makes a link to a session or, with the role of the owner, to all of them.
        case share
        /// Lists the links.
        case list
        case revoke
    }

    var verb = Verb.list
    var session = ""
    var role = PageRole.read
    var isOnce = false
    var isReusable = false
    var lifetimeMilliseconds: Int64 = 0
    /// The link to revoke.
    var link = ""

    private static let members: JSONTable<Self> = [
        .member("call", \.verb),
        .member("session", \.session, usual: ""),
        .member("role", \.role, usual: .read),
        .member("once", \.isOnce, usual: false),
        .member("reusable", \.isReusable, usual: false),
        .member("expires_ms", \.lifetimeMilliseconds, usual: 0),
        .member("link", \.link, usual: ""),
    ]

    init(_ verb: Verb) {
        self.verb = verb
    }

    var json: [UInt8] { JSONWriter.object { Self.members.write(self, to: &$0) } }

    /// - Throws: `protocol`.
    init(_ json: [UInt8]) throws(VTError) {
        guard let outline = try? JSONOutlineParser.parse(json),
            (try? Self.members.read(outline, in: json, into: &self)) != nil
        else { throw VTError(.protocolViolation, "this version of vt does not support the call") }
    }
}
