import Foundation

/// A server based on the Python package asyncssh, which checks passwords and keyboard-interactive responses without
/// root privileges.
package final class AsyncSSHServer: Sendable {
    package struct Options: Sendable, Encodable {
        /// Lists of methods: `publickey`, `password`, `keyboard-interactive`.
        ///
        /// One method of each list must succeed, in the order of the lists.
        package var steps: [[String]]
        package var password = "correct horse"
        package var banner: String?
        /// What keyboard-interactive asks after the password; the answer is `123456`.
        package var secondQuestion: String?
        /// How channels end (`status`: with an exit status), or a fault.
        ///
        /// `none`: channels are closed without an exit status; `hangup`: the connection is closed right after the
        /// channel; `flood`: requests are sent endlessly, and the replies are not read; `banners`: banners are sent
        /// endlessly; `strange`: 20 MiB of extended data of an unknown type are sent first; `mute`: requests to open
        /// a channel are not answered.
        package var ending = "status"
        /// What happens when a second channel of a connection is opened: `any`, nothing unusual; `refuse`, `end` (of the
        /// connection) or `ignore`, also after the first has been closed if followed by ` ever`.
        package var channels = "any"
        /// Whether SFTP is available.
        package var files = false
        /// What happens to signals: `ignore`, or `deliver`, to the process group of the command.
        package var signals = "ignore"
        /// What the server says it is, such as `OpenSSH_9.2p1`.
        package var version: String?
        /// Options of `asyncssh.listen`, such as `kex_algs`.
        package var algorithms: [String: [String]] = [:]

        package init(steps: [[String]]) {
            self.steps = steps
        }

        private enum CodingKeys: String, CodingKey {
            case steps, password, banner, ending, channels, files, signals, version, algorithms
            case secondQuestion = "second_question"
        }
    }

    package let port: UInt16
    package let user = "tester"
    package let hostKeys: KeyRing
    package let userKeys: KeyRing

    private let scratch: ScratchDirectory
    private let daemon: Daemon

    package init(_ options: Options, hostKeys kinds: [KeyRing.Kind] = [.ed25519]) async throws {
        let scratch = try ScratchDirectory()
        let hostKeys = try await KeyRing(kinds)
        let userKeys = try await KeyRing.user()
        let user = self.user
        let authorized = try scratch.write(
            KeyRing.Kind.allCases.map { try userKeys.publicLine($0) + "\n" }.joined(),
            to: "authorized_keys"
        )
        daemon = try await Daemon.start(errorLog: scratch.path("log")) { port, _ in
            let arguments = Arguments(
                options: options,
                port: port,
                user: user,
                hostKeys: kinds.map { hostKeys.path($0) },
                authorized: authorized
            )
            let json = String(decoding: try JSONEncoder().encode(arguments), as: UTF8.self)
            return ([TestTree.python, TestTree.support("asyncssh_server.py"), json], [:])
        }
        self.scratch = scratch
        self.hostKeys = hostKeys
        self.userKeys = userKeys
        port = daemon.port
    }

    package func stop() {
        daemon.stop()
    }

    package var log: String { daemon.log }

    private struct Arguments: Encodable {
        var options: Options
        var port: UInt16
        var user: String
        var hostKeys: [String]
        var authorized: String

        enum CodingKeys: String, CodingKey {
            case port, user, authorized
            case hostKeys = "host_keys"
        }

        func encode(to encoder: any Encoder) throws {
            try options.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(port, forKey: .port)
            try container.encode(user, forKey: .user)
            try container.encode(hostKeys, forKey: .hostKeys)
            try container.encode(authorized, forKey: .authorized)
        }
    }
}
