import Core

extension Endpoint {
    /// Reads `HOST[:PORT]`, as the commands of `vt host` take it.
    ///
    /// - Throws: `usage`, also where a user is named: host keys belong to hosts.
    init(argument text: String) throws(VTError) {
        let destination = try Destination(parsing: text)
        guard destination.user == nil else {
            throw VTError(.usage, "'\(text)' includes a user, but host keys belong to hosts")
        }
        self.init(host: destination.host, port: destination.port ?? Endpoint.standardPort)
    }
}
