import Foundation

/// A server with the SSH and SFTP daemons of Erlang/OTP.
package final class ErlangServer: Sendable {
    package let port: UInt16
    package let user = "tester"
    /// The initial directory of SFTP.
    package let home: String
    package let userKeys: KeyRing

    private let scratch: ScratchDirectory
    private let daemon: Daemon

    package init() async throws {
        let scratch = try ScratchDirectory()
        let hostKeys = try await KeyRing([.ed25519])
        let userKeys = try await KeyRing.user()
        let home = try scratch.makeDirectory("home")
        let system = try scratch.makeDirectory("system")
        let key = try String(contentsOfFile: hostKeys.path(.ed25519), encoding: .utf8)
        try scratch.write(key, to: "system/ssh_host_ed25519_key")
        let user = try scratch.makeDirectory("user")
        try scratch.write(try userKeys.publicLine(.ed25519) + "\n", to: "user/authorized_keys")
        daemon = try await Daemon.start(errorLog: scratch.path("log")) { port, _ in
            let program = """
                {ok, _} = application:ensure_all_started(ssh),
                {ok, _} = ssh:daemon({127, 0, 0, 1}, \(port), [
                    {system_dir, "\(system)"}, {user_dir, "\(user)"}, {auth_methods, "publickey"},
                    {subsystems, [ssh_sftpd:subsystem_spec([{cwd, "\(home)"}])]}]).
                """
            return (["erl", "-noinput", "-eval", program], ["HOME": scratch.path, "PATH": ProgramCall.searchPath])
        }
        self.scratch = scratch
        self.userKeys = userKeys
        self.home = home
        port = daemon.port
    }
}
