import Core

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
