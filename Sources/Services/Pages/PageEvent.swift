import Core

/// Something that has happened to the pages of a server.
package struct PageEvent: Hashable, Sendable {
    package enum Kind: String, CaseIterable, JSONReadable, Sendable {
        case listening, joined, left, refused, dropped
    }

    package var kind: Kind
    /// The address of the page, with the token of the owner's link.
    package var url: String?
    /// The address at which the server listens, or that of the machine at the other end.
    package var address: String?
    package var link: String?
    package var role: PageRole?
    /// The HTTP status, or the code with which a WebSocket was closed.
    package var status: Int?
    /// The number of events that are missing.
    package var count: Int?

    package init(
        kind: Kind,
        url: String? = nil,
        address: String? = nil,
        link: String? = nil,
        role: PageRole? = nil,
        status: Int? = nil,
        count: Int? = nil
    ) {
        (self.kind, self.url, self.address) = (kind, url, address)
        (self.link, self.role, self.status, self.count) = (link, role, status, count)
    }
}

extension PageEvent: JSONDocument {
    package static let documentName = "page event"
    package static let documentSummary = "something that has happened to the pages of 'vt serve'"

    package static let fields: JSONTable<Self> = [
        .field("event", \.kind, "what has happened"),
        .field("url", \.url, "address of the page, with the token of the owner's link"),
        .field("address", \.address, "address at which the server listens, or that of the machine at the other end"),
        .field("link", \.link, "ID of the link"),
        .field("role", \.role, "what the link allows"),
        .field("status", \.status, "HTTP status, or the code with which a WebSocket was closed (RFC 6455 §7.4)"),
        .field("count", \.count, "number of events that are missing, because the output was not read in time"),
    ]
}
