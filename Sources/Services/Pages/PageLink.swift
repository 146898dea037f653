import Core

/// A link to the pages of a server, without its token.
package struct PageLink: Hashable, Sendable {
    /// `L1`, `L2` and so on.
    package var id = ""
    package var role = PageRole.read
    /// The session; nil for all.
    package var session: String?
    package var expiresAt: Timestamp?
    /// Whether only the first page that opens the link can use it, and no program.
    package var isOnce = false
    /// Whether any number of pages can open the link.
    ///
    /// Otherwise, its token is not valid any more once a page has opened it.
    package var isReusable = false
    package var isUsed = false
    /// The number of pages that are connected.
    package var pages = 0
    /// The address with the token; known only when the link is made.
    package var url: String?

    package init() {}
}

extension PageLink: JSONRecord {
    package static let documentName = "link"
    package static let documentSummary = "a link to the sessions that 'vt serve' serves"

    package static let fields: JSONTable<Self> = [
        .stored("link", \.id, "ID of the link"),
        .stored("role", \.role, "what the link allows"),
        .stored("session", \.session, "session; absent for all sessions"),
        .stored("expires_at", \.expiresAt, "time at which the link expires", in: .time),
        .stored("once", \.isOnce, "whether only the first page that opens the link can use it, and no program"),
        .stored("reusable", \.isReusable, "whether any number of pages can open the link"),
        .stored("used", \.isUsed, "whether a page has opened the link"),
        .stored("pages", \.pages, "number of connected pages"),
        .stored("url", \.url, "address of the page, with the token; printed only when the link is made"),
    ]
}

/// What a page may do, once it has logged in.
struct PageAccess: Sendable {
    var link: String
    var role: PageRole
    /// The only session that the page may use; nil for all.
    var subject: PageSubject?
    var expiresAt: Timestamp?
    /// Whether the token has been exchanged for the key of the client.
    var hasKey = false

    let isReusable: Bool

    init(_ link: PageLink, _ subject: PageSubject?) {
        isReusable = link.isReusable
        (self.link, role, self.subject, expiresAt) = (link.id, link.role, subject, link.expiresAt)
    }
}

/// What 'vt serve' is to serve.
package enum PageItem: Hashable, Sendable {
    case session(SessionReference)
    /// The recording at this path.
    case recording(String)

    /// Parses a session, or the path of a recording: a word with a slash, or that ends in `.cast` or `.cast.gz`.
    ///
    /// - Throws: `usage`.
    package init(parsing word: String) throws(VTError) {
        let isPath = word.contains("/") && !word.hasPrefix("ssh://")
        let isRecording = isPath || word.hasSuffix(".cast") || word.hasSuffix(".cast.gz")
        self = isRecording && !word.contains(":") ? .recording(word) : .session(try SessionReference(parsing: word))
    }
}

/// A session or recording, independent of its name.
enum PageSubject: Hashable, Sendable {
    /// The session with this ID on the server of a profile, or on this machine.
    case session(profile: String?, SessionID)
    /// The recording at this path.
    case recording(String)
}
