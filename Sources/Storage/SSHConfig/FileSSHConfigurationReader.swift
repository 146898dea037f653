import Core
import System

/// Reads the configuration of the OpenSSH client, ssh_config(5).
package struct FileSSHConfigurationReader: Sendable {
    private let home: String?
    private let account: Account
    private let environment: Environment
    private let systemDirectory: String

    /// `home` is nil if the home directory is unknown; `account` is the local user; `environment` provides the values of `${NAME}`; the configuration for all users is
    /// in `systemDirectory`.
    package init(
        home: String?,
        account: Account,
        environment: Environment,
        systemDirectory: String = "/etc/ssh"
    ) {
        self.home = home
        self.account = account
        self.environment = environment
        self.systemDirectory = systemDirectory
    }

    /// Reads a file and everything it includes; nil means `~/.ssh/config`.
    ///
    /// If `runsPrograms`, the commands of `Match exec` run when settings are requested; otherwise such a line does not
    /// match, and is reported.
    ///
    /// - Throws: `not-found` when the file does not exist, `io` when it cannot be read, `data.invalid`, with file
    ///   and line, when it is malformed; `config` when another user owns or can change `~/.ssh/config` or an included
    ///   file.
    package func read(_ path: String?, runsPrograms: Bool) throws(VTError) -> any SSHConfiguration {
        // As with ssh -F, only a file that is read by default must belong to the user.
        guard let file = path ?? userPath else { throw StateDirectories.unknownHome }
        guard let nodes = try userLoader.load(file, isPrivate: path == nil) else {
            throw VTError(.notFound, "no such file: '\(file)'")
        }
        return configuration(nodes, runsPrograms: runsPrograms)
    }

    /// Reads `~/.ssh/config` and then `/etc/ssh/ssh_config`, as ssh(1) does without `-F`; missing files count as empty.
    ///
    /// The commands of `Match exec` run when settings are requested.
    ///
    /// - Throws: the same errors as `read`, except `not-found`.
    package func readAll() throws(VTError) -> any SSHConfiguration {
        let system = SSHConfigLoader(directory: systemDirectory, home: nil)
        let files = [
            try userPath.flatMap { path throws(VTError) in try userLoader.load(path, isPrivate: true) },
            try system.load("\(systemDirectory)/ssh_config", isPrivate: false),
        ]
        return configuration([.include(files.compactMap(\.self))], runsPrograms: true)
    }

    private var userPath: String? { home.map { "\($0)/.ssh/config" } }

    private var userLoader: SSHConfigLoader { SSHConfigLoader(directory: home.map { "\($0)/.ssh" }, home: home) }

    private func configuration(_ nodes: [SSHConfigNode], runsPrograms: Bool) -> FileSSHConfiguration {
        FileSSHConfiguration(
            nodes: nodes,
            account: account,
            program: runsPrograms ? SSHConfigProgram(account: account, environment: environment) : nil,
            conversion: SSHConfigConversion(home: home, environment: environment)
        )
    }
}

/// A configuration in memory.
private struct FileSSHConfiguration: SSHConfiguration {
    let nodes: [SSHConfigNode]
    let account: Account
    let program: SSHConfigProgram?
    let conversion: SSHConfigConversion

    var aliases: [String] {
        var seen: Set<String> = []
        // A name can occur in an included file that does not apply to it.
        return Self.names(in: nodes).filter { name in
            // Without programs to run, the evaluation cannot fail.
            let evaluation = try? SSHConfigEvaluation(nodes, host: name, account: account)
            return seen.insert(name).inserted && evaluation?.isNamed == true
        }
    }

    func settings(for host: String, given options: [String: String]) throws(VTError) -> HostSettings {
        let evaluation = try SSHConfigEvaluation(
            nodes,
            host: host,
            given: options,
            account: account,
            program: program
        )
        return try conversion.settings(of: evaluation)
    }

    /// The words on all `Host` lines that are not patterns.
    private static func names(in nodes: [SSHConfigNode]) -> [String] {
        nodes.flatMap { node -> [String] in
            switch node {
            case .include(let files): files.flatMap(names)
            case .line(let line) where line.name == "host":
                line.words.filter { !$0.hasPrefix("!") && !$0.contains("*") && !$0.contains("?") }
            case .line: []
            }
        }
    }
}
