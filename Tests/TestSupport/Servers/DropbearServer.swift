import Foundation

/// A private Dropbear on loopback.
///
/// It uses its own passwd file (nss_wrapper(1)), so that it reads no files in the user's home.
package final class DropbearServer: Sendable {
    package let port: UInt16
    package let user = "dropper"
    package let password = "correct horse"
    package let home: String
    package let hostKeys: KeyRing
    package let userKeys: KeyRing

    private let scratch: ScratchDirectory
    private let daemon: Daemon

    package init(hostKeys kinds: [KeyRing.Kind] = [.ed25519], options: [String] = []) async throws {
        let scratch = try ScratchDirectory()
        let hostKeys = try await KeyRing(kinds)
        let userKeys = try await KeyRing.user()
        let home = try scratch.makeDirectory("home")
        try scratch.write(
            KeyRing.Kind.allCases.map { try userKeys.publicLine($0) + "\n" }.joined(),
            to: "home/.ssh/authorized_keys"
        )
        // Dropbear ignores authorized_keys if other users can write to a directory that contains it.
        for name in ["home", "home/.ssh"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: scratch.path(name))
        }
        let hash = try await ProgramCall("openssl", ["passwd", "-6", "-stdin"]).check(input: Array(password.utf8))
            .trimmingCharacters(in: .newlines)
        let users = try scratch.write(
            "\(user):\(hash):\(getuid()):\(getgid()):Dropper:\(home):/bin/sh\n",
            to: "passwd",
            mode: 0o644
        )
        let groups = try scratch.write("\(user):x:\(getgid()):\n", to: "group", mode: 0o644)
        var keyOptions: [String] = []
        for kind in kinds {
            let converted = scratch.path("host-\(kind)")
            try await ProgramCall("dropbearconvert", ["openssh", "dropbear", hostKeys.path(kind), converted]).check()
            keyOptions += ["-r", converted]
        }
        daemon = try await Daemon.start(errorLog: scratch.path("log")) { [keyOptions] port, tag in
            let words = ["/usr/sbin/dropbear", "-F", "-E", "-e", "-m", "-p", "127.0.0.1:\(port)"]
            let environment = [
                "LD_PRELOAD": "libnss_wrapper.so", "NSS_WRAPPER_PASSWD": users, "NSS_WRAPPER_GROUP": groups,
            ]
            return (words + ["-P", scratch.path("pid")] + keyOptions + options, environment)
        }
        self.scratch = scratch
        self.hostKeys = hostKeys
        self.userKeys = userKeys
        self.home = home
        port = daemon.port
    }

    package func stop() {
        daemon.stop()
    }

    package var log: String { daemon.log }
    package var processes: [pid_t] { daemon.processes }
}
