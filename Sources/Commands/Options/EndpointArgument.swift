import Core

extension Endpoint {
    /// Reads `HOST[:PORT]`, as the commands of `vt host` take it.
    ///
    /// - Throws: `usage`, also where a user is named: host keys belong to hosts.
    init(argument text: String) throws(VTError) {
        let destination = try Destination(parsing: text)
        guard destination.user == nil else {
            throw VTError(.usage, "'\(text)' names a user, but a host key belongs to a host")
        }
        self.init(host: destination.host, port: destination.port ?? Endpoint.standardPort)
    }
}
