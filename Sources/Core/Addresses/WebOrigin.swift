/// The public address of a web server: an origin (RFC 6454 §4), and the path below which its pages are.
package struct WebOrigin: Hashable, Sendable {
    /// `http` or `https`.
    package let scheme: String
    /// The value of the header `Host`: in lower case, without the standard port of the scheme.
    package let host: String
    /// Begins and ends with a slash.
    package let path: String

    /// Parses a URL such as `https://example.org/vt/`.
    ///
    /// - Throws: `usage`.
    package init(parsing text: String) throws(VTError) {
        let scheme = text.lowercased().prefix { $0 != ":" }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.dropFirst(3).prefix { $0 != "/" }
        let path = rest.dropFirst(3 + authority.count)
        let isPlain = authority.allSatisfy { $0.isASCII && !" @?#\"<>\\".contains($0) }
        guard scheme == "http" || scheme == "https", rest.hasPrefix("://"), !authority.isEmpty, isPlain,
            path.allSatisfy({ $0.isASCII && !" ?#\"<>\\".contains($0) })
        else {
            throw VTError(.usage, "invalid URL '\(text)'", hint: "use the form https://HOST[:PORT][/PATH/]")
        }
        self.init(scheme: String(scheme), host: String(authority), path: String(path))
    }

    package init(scheme: String, host: String, path: String = "/") {
        self.scheme = scheme
        let host = host.lowercased()
        let standard = scheme == "https" ? ":443" : ":80"
        self.host = host.hasSuffix(standard) ? String(host.dropLast(standard.count)) : host
        let path = path.hasPrefix("/") ? path : "/\(path)"
        self.path = path.hasSuffix("/") ? path : "\(path)/"
    }

    /// The value of the header `Origin`.
    package var origin: String { "\(scheme)://\(host)" }

    /// The URL of the page.
    package var url: String { origin + path }
}
