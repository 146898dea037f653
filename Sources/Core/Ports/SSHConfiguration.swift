/// A parsed configuration of the OpenSSH client.
package protocol SSHConfiguration: Sendable {
    /// The non-pattern names on `Host` lines, in file order; the configuration is evaluated for each name.
    var aliases: [String] { get }

    /// The settings for a host, which include its name, with the tokens of all file names but those of known_hosts
    /// files expanded.
    ///
    /// The given options, with their names in lower case, override those of the configuration, as on ssh's command
    /// line.
    ///
    /// - Throws: `data.invalid`, with file and line, when an applicable value is malformed; errors from running the
    ///   commands of `Match exec`.
    func settings(for host: String, given options: [String: String]) throws(VTError) -> HostSettings
}
