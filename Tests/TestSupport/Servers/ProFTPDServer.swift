import Foundation

/// A private ProFTPD with mod_sftp on loopback; it requires root to start its sessions.
package final class ProFTPDServer: Sendable {
    package let port: UInt16
    package let user = "tester"
    package let home: String
    package let userKeys: KeyRing

    private let scratch: ScratchDirectory
    private let hostKeys: KeyRing
    private let daemon: Daemon

    package init() async throws {
        let scratch = try ScratchDirectory()
        let hostKeys = try await KeyRing([.ed25519])
        let userKeys = try await KeyRing.user()
        let home = try scratch.makeDirectory("home")
        let key = try await ProgramCall("ssh-keygen", ["-e", "-f", userKeys.path(.ed25519)]).check()
        let keys = try scratch.write(key, to: "keys")
        let hash = try await ProgramCall("openssl", ["passwd", "-6", "-stdin"]).check(input: Array("unused".utf8))
            .trimmingCharacters(in: .newlines)
        let users = try scratch.write("\(user):\(hash):\(getuid()):\(getgid())::\(home):/bin/sh\n", to: "passwd")
        daemon = try await Daemon.start(errorLog: scratch.path("log")) { port, _ in
            let configuration = """
                LoadModule mod_sftp.c
                ServerType standalone
                DefaultAddress 127.0.0.1
                Port \(port)
                User root
                Group root
                RootLogin on
                PidFile \(scratch.path("pid"))
                ScoreboardFile \(scratch.path("scoreboard"))
                SystemLog none
                WtmpLog off
                DelayEngine off
                UseReverseDNS off
                RequireValidShell off
                AuthOrder mod_auth_file.c
                AuthUserFile \(users)
                AllowOverwrite on
                SFTPEngine on
                SFTPHostKey \(hostKeys.path(.ed25519))
                SFTPAuthMethods publickey
                SFTPAuthorizedUserKeys file:\(keys)

                """
            let file = try scratch.write(configuration, to: "proftpd.conf")
            return (["/usr/sbin/proftpd", "-n", "-q", "-c", file], [:])
        }
        self.scratch = scratch
        self.hostKeys = hostKeys
        self.userKeys = userKeys
        self.home = home
        port = daemon.port
    }
}
