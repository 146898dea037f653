import Foundation
import Testing

/// A private sshd on loopback with its own keys, running as root or as an ordinary user.
///
/// It accepts the user who runs the tests, with each key of `KeyRing.user()`, and reads no files in that user's home.
package final class OpenSSHServer: Sendable {
    package struct Options: Sendable {
        /// The kinds of the server's host keys.
        package var hostKeys: [KeyRing.Kind] = [.ed25519]
        /// Lines to put before all others in sshd_config(5), which uses the first value of most keywords.
        package var lines: [String] = []
        /// The paths of login shells, each of which has its own port; the main port uses the user's login shell.
        package var loginShells: [String] = []

        /// Whether SFTP is available.
        package var hasFiles = true

        /// Whether the keys in `~/.ssh/authorized_keys` of the server's `home` can log in too.
        package var readsHomeKeys = false

        package init(
            hostKeys: [KeyRing.Kind] = [.ed25519],
            lines: [String] = [],
            loginShells: [String] = [],
            hasFiles: Bool = true,
            readsHomeKeys: Bool = false
        ) {
            self.hostKeys = hostKeys
            self.lines = lines
            self.loginShells = loginShells
            self.hasFiles = hasFiles
            self.readsHomeKeys = readsHomeKeys
        }
    }

    package let port: UInt16
    /// The additional ports, by the path of the login shell.
    package let shellPorts: [String: UInt16]
    package let hostKeys: KeyRing
    package let userKeys: KeyRing
    package let user = TestUser.current.name
    /// The HOME of commands: a directory that is initially empty.
    package let home: String

    private let scratch: ScratchDirectory
    private let daemon: Daemon

    /// Starts a server on a free port, or on `port`, which must be free.
    ///
    /// The current test is skipped if the user's login shell refuses all logins (nologin(8)).
    package init(_ options: Options = Options(), port wanted: UInt16? = nil) async throws {
        try Self.requireLogins()
        let scratch = try ScratchDirectory()
        let hostKeys = try await KeyRing(options.hostKeys)
        let userKeys = try await KeyRing.user()
        self.scratch = scratch
        self.hostKeys = hostKeys
        self.userKeys = userKeys
        home = try scratch.makeDirectory("home")
        try scratch.write(
            KeyRing.Kind.allCases.map { try userKeys.publicLine($0) + "\n" }.joined(),
            to: "authorized_keys"
        )
        try Self.preparePrivilegeSeparation()

        var shellPorts: [String: UInt16] = [:]
        daemon = try await Daemon.start(on: wanted, errorLog: scratch.path("sshd.log")) { port, tag in
            shellPorts = try Dictionary(
                uniqueKeysWithValues: options.loginShells.map { ($0, try LoopbackPort.free()) }
            )
            let configuration = Configuration(
                options: options,
                port: port,
                shellPorts: shellPorts,
                hostKeys: hostKeys,
                scratch: scratch,
                tag: tag
            )
            let file = try scratch.write(configuration.text, to: "sshd_config")
            // With -r, which newer versions ignore, it does not load its program again for each connection, a third of its work.
            return (["/usr/sbin/sshd", "-D", "-e", "-r", "-f", file], [:])
        }
        port = daemon.port
        self.shellPorts = shellPorts
    }

    /// Skips the test if the user's login shell, with which sshd(8) runs all commands, runs none.
    private static func requireLogins() throws {
        let shell = TestUser.current.shell
        guard shell.hasSuffix("/nologin") || shell.hasSuffix("/false") else { return }
        try Test.cancel("the login shell of this user is '\(shell)'")
    }

    /// Kills the server, its connections and its commands.
    package func stop() {
        daemon.stop()
    }

    /// The contents of the server's log.
    package var log: String { daemon.log }

    /// The processes of the server and of the commands it runs.
    package var processes: [pid_t] { daemon.processes }

    /// The command lines of the server's running processes.
    package var commands: [String] { processes.map { ProcessTable.command($0) } }

    /// Sends a signal, such as SIGSTOP, to every process of the server.
    package func signal(_ number: Int32) {
        for pid in processes { kill(pid, number) }
    }

    /// The line for this server in known_hosts(5).
    package func knownHostsLine(_ kind: KeyRing.Kind = .ed25519) throws -> String {
        "[127.0.0.1]:\(port) \(try hostKeys.publicLine(kind))\n"
    }

    /// Returns a call to `ssh` for this server, with the ed25519 key, no agent and no configuration.
    package func ssh(_ options: [String] = [], port: UInt16? = nil, _ words: [String]) throws -> ProgramCall {
        let known = try scratch.write(
            try hostKeyKinds.map { try knownHostsLine($0) }.joined(),
            to: "known_hosts"
        )
        let fixed = [
            "BatchMode=yes", "IdentitiesOnly=yes", "IdentityFile=\(userKeys.path(.ed25519))", "LogLevel=ERROR",
            "HostKeyAlias=[127.0.0.1]:\(self.port)", "UserKnownHostsFile=\(known)", "GlobalKnownHostsFile=none",
            "StrictHostKeyChecking=yes",
        ]
        let set = (options + fixed).flatMap { ["-o", $0] }
        return ProgramCall("ssh", ["-F", "none", "-p", "\(port ?? self.port)"] + set + ["\(user)@127.0.0.1"] + words)
    }

    private var hostKeyKinds: [KeyRing.Kind] {
        KeyRing.Kind.allCases.filter { FileManager.default.fileExists(atPath: hostKeys.path($0)) }
    }

    /// When run by root, sshd requires an empty directory for privilege separation, usually created by an init script.
    private static func preparePrivilegeSeparation() throws {
        guard getuid() == 0 else { return }
        try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
    }
}

/// sshd_config(5) for a fixture.
private struct Configuration {
    let options: OpenSSHServer.Options
    let port: UInt16
    let shellPorts: [String: UInt16]
    let hostKeys: KeyRing
    let scratch: ScratchDirectory
    let tag: String

    /// Whether sshd penalizes addresses for failed connections, as versions from 9.8 do.
    private static let hasPenalties: Bool = {
        let program = try? Data(contentsOf: URL(fileURLWithPath: "/usr/sbin/sshd"))
        return program?.range(of: Data("persourcepenalties".utf8)) != nil
    }()

    private var authorizedKeys: [String] {
        [scratch.path("authorized_keys")]
            + (options.readsHomeKeys ? [scratch.path("home/.ssh/authorized_keys")] : [])
    }

    var text: String {
        let ports = [port] + shellPorts.values
        var lines = options.lines
        lines += ports.map { "ListenAddress 127.0.0.1:\($0)" }
        // All tests have the same address, so the failures of some must not exclude others.
        if Self.hasPenalties { lines.append("PerSourcePenalties no") }
        lines += options.hostKeys.map { "HostKey \(hostKeys.path($0))" }
        lines += [
            "AuthorizedKeysFile \(authorizedKeys.joined(separator: " "))",
            "PidFile none",
            "StrictModes no",
            "UsePAM no",
            "UseDNS no",
            "PasswordAuthentication no",
            "KbdInteractiveAuthentication no",
            "PermitRootLogin yes",
            "PermitUserRC no",
            "PrintMotd no",
            "MaxSessions 1000",
            "LogLevel VERBOSE",
            "AcceptEnv GIT_PROTOCOL",
            // A second SetEnv line would be ignored. The home is empty so that no startup file of the user is read.
            "SetEnv HOME=\(scratch.path("home")) \(ProcessTable.tagVariable)=\(tag)",
        ]
        // Unlike with most keywords, the last value of MaxStartups applies.
        if !lines.contains(where: { $0.hasPrefix("MaxStartups ") }) { lines.append("MaxStartups 1000") }
        if options.hasFiles { lines.append("Subsystem sftp internal-sftp") }
        for (shell, port) in shellPorts {
            lines += ["Match LocalPort \(port)", #"ForceCommand exec \#(shell) -c "$SSH_ORIGINAL_COMMAND""#]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
