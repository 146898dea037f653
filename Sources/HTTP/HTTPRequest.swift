import Core
import NIOHTTP1

/// A request that is the only one on its connection (RFC 9112).
package struct HTTPRequest: Sendable {
    package var method: String
    package var address: HTTPAddress
    /// The fields besides those that follow from the other properties: `Host`, `Connection`, `Content-Length` and
    /// `Authorization`.
    package var fields: [(name: String, value: String)]
    /// Sent as `Authorization: Bearer` (RFC 6750 §2.1).
    package var token: Secret?
    /// The parts of the body.
    package var body: [StoredBytes]

    package init(
        _ method: String = "GET",
        _ address: HTTPAddress,
        fields: [(name: String, value: String)] = [],
        body: [StoredBytes] = [],
        token: Secret? = nil
    ) {
        (self.method, self.address, self.fields, self.body, self.token) = (method, address, fields, body, token)
    }

    /// The head of the request; with `upgrades`, the connection is to be kept for another protocol.
    func head(upgrades: Bool) -> HTTPRequestHead {
        var headers = HTTPHeaders([("Host", address.hostField)])
        if !upgrades { headers.add(name: "Connection", value: "close") }
        for (name, value) in fields { headers.add(name: name, value: value) }
        if !body.isEmpty || !["GET", "HEAD", "DELETE"].contains(method) {
            headers.add(name: "Content-Length", value: "\(body.reduce(0) { $0 + $1.count })")
        }
        if let token {
            headers.add(name: "Authorization", value: "Bearer \(String(decoding: token.bytes, as: UTF8.self))")
        }
        let target = address.path + address.query
        return HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: method),
            uri: target,
            headers: headers
        )
    }
}

/// An answer to a request.
package struct HTTPAnswer: Sendable {
    package var status: Int
    package var fields: [(name: String, value: String)]
    package var body: [UInt8] = []

    init(_ head: HTTPResponseHead) {
        status = Int(head.status.code)
        fields = head.headers.map { (name: $0.name, value: $0.value) }
    }

    /// The first value of a field, whose name is compared case-insensitively.
    package func field(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }

    /// The media type of the body, in lower case and without parameters; empty if there is none.
    package var mediaType: String {
        (field("Content-Type") ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
    }
}
