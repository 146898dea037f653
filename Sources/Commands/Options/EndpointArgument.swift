import Core

extension Endpoint {
    /// Parses `HOST[:PORT]`, the form used by `vt host` commands.
    ///
    /// - Throws: `usage` if the text is malformed, or if it includes a user, because host keys belong to hosts.
    init(argument text: String) throws(VTError) {
        let destination = try Destination(parsing: text)
        guard destination.user == nil else {
            throw VTError(.usage, "'\(text)' includes a user, but host keys belong to hosts")
        }
        self.init(host: destination.host, port: destination.port ?? Endpoint.standardPort)
    }
}
