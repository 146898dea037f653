/// A parsed configuration of the OpenSSH client.
package protocol SSHConfiguration: Sendable {
    /// The names on `Host` lines that are not patterns, in file order.
    var aliases: [String] { get }

    /// Directives that could not be evaluated, with file and line.
    var notes: [String] { get }

    /// The settings for a host; `user` and `port` override them, as on ssh's command line.
    ///
    /// - Throws: `data.invalid`, with file and line, when an applicable value is malformed.
    func settings(for host: String, user: String?, port: UInt16?) throws(VTError) -> SSHHostSettings
}
