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
        if let (scheme, host) = target(of: head).origin {
            let origin = WebOrigin(scheme: scheme, host: host).origin
            guard addresses.contains(where: { $0.origin == origin }) else { return .misdirectedRequest }
        }
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
        let path = target(of: head).path
        let base = addresses.map(\.path).filter { path.hasPrefix($0) }.max { $0.utf8.count < $1.utf8.count }
        return path.dropFirst(base?.count ?? 0)
    }

    /// The path of a request, and the scheme and host if it has the form for proxies, as in `GET http://HOST/PATH`, which
    /// servers accept too (RFC 9112 §3.2.2).
    private func target(of head: HTTPRequestHead) -> (origin: (scheme: String, host: String)?, path: Substring) {
        let uri = head.uri.prefix { $0 != "?" }
        let scheme = uri.prefix { $0 != ":" && $0 != "/" }
        let rest = uri.dropFirst(scheme.utf8.count)
        guard ["http", "https"].contains(scheme.lowercased()), rest.hasPrefix("://") else { return (nil, uri) }
        let host = rest.dropFirst(3).prefix { $0 != "/" }
        let path = rest.dropFirst(3 + host.count)
        return ((scheme.lowercased(), String(host)), path.isEmpty ? "/" : path)
    }

    private func isNavigation(_ head: HTTPRequestHead) -> Bool {
        head.headers["sec-fetch-mode"] == ["navigate"] && path(of: head).isEmpty && head.headers["upgrade"].isEmpty
    }

    private func normalized(_ host: String, _ scheme: String) -> String {
        WebOrigin(scheme: scheme, host: host).host
    }
}
