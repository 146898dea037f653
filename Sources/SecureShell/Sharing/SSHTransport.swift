import Core
import Runtime
import Synchronization
import System

/// Opens connections to servers over SSH, and shares them with other commands if their plans allow it.
package final class SSHTransport: Sendable {
    private let client: MuxClient?
    private let executor: LoopExecutor
    private let make: @Sendable (LoopExecutor) throws(VTError) -> SSHConnector
    /// The connector on `executor`, once it has been needed; loading libssh2 takes longer than most commands.
    private let connector = Mutex<SSHConnector?>(nil)
    private let threads = Mutex<[SSHConnector]>([])

    /// `directory` contains the shared connections; nil means that no connection is shared.
    ///
    /// `make` makes the connectors for other connections; `environment` is the environment of this process.
    ///
    /// Different versions of vt do not share connections.
    package init(
        executor: LoopExecutor,
        directory: MuxDirectory?,
        program: String,
        version: String,
        environment: Environment,
        diagnostics: any Diagnostics,
        make: @escaping @Sendable (LoopExecutor) throws(VTError) -> SSHConnector
    ) {
        self.executor = executor
        self.make = make
        client = directory.map { directory in
            MuxClient(
                executor: executor,
                directory: directory,
                program: program,
                // The directory might be shared by several machines, and by namespaces in which the same address or
                // file name refers to something else.
                context: "\(version) \(LinuxProcess.hostName) \(Self.namespaces) \(directory.path)",
                environment: environment.words,
                diagnostics: diagnostics
            )
        }
    }

    /// Identifies the network and mount namespaces (namespaces(7)): `net:[NUMBER] mnt:[NUMBER]`; a different text at
    /// each call if they cannot be determined.
    private static var namespaces: String {
        let links = ["net", "mnt"].map { FileContents.link(at: "/proc/self/ns/\($0)") ?? RandomIdentifier.make() }
        return links.joined(separator: " ")
    }

    /// - Throws: As `Connector.connect`.
    package func connect(_ plan: SSHPlan, observer: @escaping ConnectionObserver) async throws(VTError)
        -> any RemoteHost
    {
        do throws(VTError) {
            return try await host(plan, observer: observer)
        } catch {
            guard error.isSolvedByOpenSSH else { throw error }
            var error = error
            let way = "to connect with ssh: \(plan.openSSHCommand)"
            error.hint = error.hint.map { "\($0); \(way)" } ?? way
            throw error
        }
    }

    /// As `Connector.check`.
    package static func check(_ plan: SSHPlan) throws(VTError) {
        for hop in plan.hops + [plan] { try PreparedCredentials.check(hop.credentials) }
    }

    /// As `Connector.hostKey`.
    package func hostKey(of plan: SSHPlan, type: String) async throws(VTError) -> HostKey? {
        try await ownConnector().hostKey(of: plan, type: type)
    }

    /// As `Connector.hostKeyTypes`.
    package func hostKeyTypes() throws(VTError) -> [String] {
        try ownConnector().hostKeyTypes()
    }

    /// Closes the connections to jump hosts.
    package func close() async {
        await connector.withLock { $0 }?.close()
        for connector in threads.withLock({ $0 }) { await connector.close() }
    }

    /// Opens a connection that is not shared.
    ///
    /// - Throws: `host.unreachable` if the plan requires a shared connection.
    func connectAlone(
        _ plan: SSHPlan,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        guard plan.sharing?.isRequired != true else {
            throw VTError(.hostUnreachable, "there is no shared connection to '\(plan.name)'")
        }
        return try await ownConnector().connection(plan, observer: observer)
    }

    // MARK: -

    private func host(_ plan: SSHPlan, observer: @escaping ConnectionObserver) async throws(VTError) -> any RemoteHost {
        if plan.usesOwnThread {
            // The thread lasts as long as the process.
            let connector = try make(try await LoopExecutor.onNewThread())
            threads.withLock { $0.append(connector) }
            return try await connector.connection(plan, observer: observer)
        }
        guard let client, let sharing = plan.sharing,
            let lease = try await client.lease(plan, sharing: sharing, observer: observer)
        else { return try await connectAlone(plan, observer: observer) }
        return SharedHost(plan, sharing: sharing, lease: lease, client: client, transport: self, observer: observer)
    }

    private func ownConnector() throws(VTError) -> SSHConnector {
        try connector.withLock { connector throws(VTError) in
            if let connector { return connector }
            let made = try make(executor)
            connector = made
            return made
        }
    }
}
