/// Reads the configuration of the OpenSSH client, ssh_config(5).
package protocol SSHConfigurationReader: Sendable {
    /// Reads a file and everything it includes; nil means `~/.ssh/config`.
    ///
    /// - Throws: `not-found` when the file does not exist, `io` when it cannot be read, `data.invalid` with file and
    ///   line when it is malformed.
    func read(_ path: String?) throws(VTError) -> any SSHConfiguration
}
