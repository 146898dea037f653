/// Reads the configuration of the OpenSSH client, ssh_config(5).
package protocol SSHConfigurationReader: Sendable {
    /// Reads a file and everything it includes; nil means `~/.ssh/config`.
    ///
    /// If `runsPrograms`, the commands of `Match exec` run when settings are requested; otherwise such a line does not
    /// match, and is reported.
    ///
    /// - Throws: `not-found` when the file does not exist, `io` when it cannot be read, `data.invalid`, with file
    ///   and line, when it is malformed; `config` when another user owns or can change `~/.ssh/config` or an included
    ///   file.
    func read(_ path: String?, runsPrograms: Bool) throws(VTError) -> any SSHConfiguration

    /// Reads `~/.ssh/config` and then `/etc/ssh/ssh_config`, as ssh(1) does without `-F`; missing files count as empty.
    ///
    /// The commands of `Match exec` run when settings are requested.
    ///
    /// - Throws: the same errors as `read`, except `not-found`.
    func readAll() throws(VTError) -> any SSHConfiguration
}

/// A parsed configuration of the OpenSSH client.
package protocol SSHConfiguration: Sendable {
    /// The non-pattern names on `Host` lines, in file order; the configuration is evaluated for each name.
    var aliases: [String] { get }

    /// The settings for a host; the given options, with their names in lower case, override those of the configuration,
    /// as on ssh's command line.
    ///
    /// - Throws: `data.invalid`, with file and line, when an applicable value is malformed; errors from running the
    ///   commands of `Match exec`.
    func settings(for host: String, given options: [String: String]) throws(VTError) -> SSHHostSettings
}
