import Core
import System

extension SSHConfigTokens {
    /// Returns the value of `%C` (ssh_config(5)): the SHA-1 digest of the names of this machine and of the server, the port
    /// and the user (ssh_connection_hash in readconf.c of OpenSSH).
    package static func connectionHash(host: String, port: String, user: String) -> String {
        Digests.sha1(Array("\(LinuxProcess.hostName)\(host)\(port)\(user)".utf8)).hexadecimal
    }
}
