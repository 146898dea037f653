import Core
import POSIX

/// A connector that lets commands share connections, if their plans allow it.
package struct SharingConnector: Connector {
    private let connector: any Connector
    private let client: KeeperClient

    /// `connector` opens connections that are not shared; `environment` is the environment of this process.
    ///
    /// Different versions of vt do not share connections.
    package init(
        _ connector: any Connector,
        executor: LoopExecutor,
        directory: KeeperDirectory,
        program: String,
        version: String,
        environment: Environment,
        diagnostics: any Diagnostics
    ) {
        self.connector = connector
        client = KeeperClient(
            executor: executor,
            directory: directory,
            launcher: KeeperLauncher(directory: directory, program: program, environment: environment),
            // The directory might be shared by several machines, and by namespaces in which the same address or file name
            // refers to something else.
            context: "\(version) \(LinuxProcess.hostName) \(Self.namespaces) \(directory.path)",
            environment: environment.words,
            diagnostics: diagnostics
        )
    }

    /// Identifies the network and mount namespaces (namespaces(7)): `net:[NUMBER] mnt:[NUMBER]`; a different text at each
    /// call if they cannot be determined.
    private static var namespaces: String {
        let links = ["net", "mnt"].map { FileContents.link(at: "/proc/self/ns/\($0)") ?? RandomIdentifier.make() }
        return links.joined(separator: " ")
    }

    package func connect(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        do throws(VTError) {
            return try await host(plan, observer: observer)
        } catch {
            guard error.isSolvedByOpenSSH else { throw error }
            var error = error
            let way = "to connect with ssh: \(OpenSSHCommand.text(for: plan))"
            error.hint = error.hint.map { "\($0); \(way)" } ?? way
            throw error
        }
    }

    private func host(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        guard let sharing = plan.sharing,
            let lease = try await client.lease(plan, sharing: sharing, observer: observer)
        else { return try await connector.connectAlone(plan, observer: observer) }
        return SharedHost(
            plan,
            sharing: sharing,
            lease: lease,
            client: client,
            connector: connector,
            observer: observer
        )
    }

    package func hostKey(of plan: ConnectionPlan, type: String) async throws(VTError) -> HostKey? {
        try await connector.hostKey(of: plan, type: type)
    }

    package func close() async {
        await connector.close()
    }

    package func hostKeyTypes() throws(VTError) -> [String] {
        try connector.hostKeyTypes()
    }
}

extension Connector {
    /// Opens a connection that is not shared.
    ///
    /// - Throws: `host.unreachable` if the plan requires a shared connection.
    func connectAlone(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        guard plan.sharing?.isRequired != true else {
            throw VTError(.hostUnreachable, "there is no shared connection to '\(plan.name)'")
        }
        return try await connect(plan, observer: observer)
    }
}
