import Core
import NIOHTTP1

/// Which requests the server answers; checked before anything else is done with a request.
///
/// A browser runs the scripts of any site, and these can send requests to any server that the browser reaches. Cookies
/// and CORS do not prevent this; the headers that browsers set do.
struct RequestRules: Sendable {
    /// The addresses at which the page is reached.
    private let addresses: [WebOrigin]

    init(_ addresses: [WebOrigin]) {
        self.addresses = addresses
    }

    /// Why a request is refused; nil if it is not.
    ///
    /// `Host` is checked because a foreign name can be made to resolve to this server (DNS rebinding). A request without
    /// `Origin` does not come from a script of another site, or not from a browser. Ports do not separate sites, so
    /// `same-site` is as foreign as `cross-site`; only links to the page may be on other sites. Only requests for programs
    /// change anything.
    func refusal(of head: HTTPRequestHead, isForPrograms: Bool = false) -> HTTPResponseStatus? {
        let hosts = head.headers["host"]
        guard hosts.count == 1, let host = hosts.first else { return .badRequest }
        guard addresses.contains(where: { $0.host == normalized(host, $0.scheme) }) else { return .misdirectedRequest }
        for origin in head.headers["origin"] where !addresses.contains(where: { $0.origin == origin.lowercased() }) {
            return .forbidden
        }
        for site in head.headers["sec-fetch-site"] where site != "same-origin" && site != "none" {
            guard isNavigation(head) else { return .forbidden }
        }
        let methods: [HTTPMethod] = isForPrograms ? [.GET, .POST, .PATCH, .DELETE] : [.GET, .HEAD]
        return methods.contains(head.method) ? nil : .methodNotAllowed
    }

    /// The path below that of the page; a proxy may have removed the public path or not.
    func path(of head: HTTPRequestHead) -> Substring {
        let path = head.uri.prefix { $0 != "?" }
        let base = addresses.map(\.path).filter { path.hasPrefix($0) }.max { $0.utf8.count < $1.utf8.count }
        return path.dropFirst(base?.count ?? 0)
    }

    private func isNavigation(_ head: HTTPRequestHead) -> Bool {
        head.headers["sec-fetch-mode"] == ["navigate"] && path(of: head).isEmpty && head.headers["upgrade"].isEmpty
    }

    private func normalized(_ host: String, _ scheme: String) -> String {
        WebOrigin(scheme: scheme, host: host).host
    }
}
