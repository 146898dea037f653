import Core
import POSIX

/// Reads ssh_config(5) files.
package struct FileSSHConfigurationReader: SSHConfigurationReader {
    private let home: String
    private let account: Account
    private let environment: Environment
    private let systemDirectory: String

    /// `account` is the local user; `environment` provides the values of `${NAME}`; the configuration for all users is
    /// in `systemDirectory`.
    package init(
        home: String,
        account: Account,
        environment: Environment,
        systemDirectory: String = "/etc/ssh"
    ) {
        self.home = home
        self.account = account
        self.environment = environment
        self.systemDirectory = systemDirectory
    }

    package func read(_ path: String?) throws(VTError) -> any SSHConfiguration {
        let path = path ?? userPath
        guard let nodes = try userLoader.load(path) else { throw VTError(.notFound, "no such file: '\(path)'") }
        return configuration(nodes)
    }

    package func readAll() throws(VTError) -> any SSHConfiguration {
        let system = SSHConfigLoader(directory: systemDirectory, home: nil)
        let files = [try userLoader.load(userPath), try system.load("\(systemDirectory)/ssh_config")]
        return configuration([.include(files.compactMap(\.self))])
    }

    private var userPath: String { "\(home)/.ssh/config" }

    private var userLoader: SSHConfigLoader { SSHConfigLoader(directory: "\(home)/.ssh", home: home) }

    private func configuration(_ nodes: [SSHConfigNode]) -> FileSSHConfiguration {
        FileSSHConfiguration(
            nodes: nodes,
            account: account,
            conversion: SSHConfigConversion(account: account, home: home, environment: environment)
        )
    }
}

/// A configuration in memory.
private struct FileSSHConfiguration: SSHConfiguration {
    private let nodes: [SSHConfigNode]
    private let account: Account
    private let conversion: SSHConfigConversion

    init(nodes: [SSHConfigNode], account: Account, conversion: SSHConfigConversion) {
        self.nodes = nodes
        self.account = account
        self.conversion = conversion
    }

    var aliases: [String] {
        var seen: Set<String> = []
        // A name can occur in an included file that does not apply to it.
        return Self.names(in: nodes).filter { seen.insert($0).inserted && evaluation(of: $0).isNamed }
    }

    private func evaluation(of host: String, user: String? = nil) -> SSHConfigEvaluation {
        SSHConfigEvaluation(nodes, host: host, user: user, account: account)
    }

    func settings(for host: String, user: String?, port: UInt16?) throws(VTError) -> SSHHostSettings {
        try conversion.settings(of: evaluation(of: host, user: user), user: user, port: port)
    }

    /// The words on all `Host` lines that are not patterns.
    private static func names(in nodes: [SSHConfigNode]) -> [String] {
        nodes.flatMap { node -> [String] in
            switch node {
            case .include(let files): files.flatMap(names)
            case .line(let line) where line.keyword == "host":
                line.arguments.filter { !$0.hasPrefix("!") && !$0.contains("*") && !$0.contains("?") }
            case .line: []
            }
        }
    }
}
