/// Reads the configuration of OpenSSH's client, ssh_config(5).
package protocol SSHConfigurationReader: Sendable {
    /// Reads a file with all that it includes; nil is `~/.ssh/config`.
    ///
    /// - Throws: `not-found` when there is no such file, `io` when it cannot be read, `data.invalid` with file and line
    ///   when it is malformed.
    func read(_ path: String?) throws(VTError) -> any SSHConfiguration
}

/// A configuration that has been read.
package protocol SSHConfiguration: Sendable {
    /// The names of `Host` lines that are no patterns, in the order of the file.
    var aliases: [String] { get }

    /// What could not be evaluated, with file and line.
    var notes: [String] { get }

    /// What the configuration says for a host; `user` and `port` win over it, as they do on ssh's command line.
    ///
    /// - Throws: `data.invalid` with file and line when a value that counts is malformed.
    func settings(for host: String, user: String?, port: UInt16?) throws(VTError) -> SSHHostSettings
}
