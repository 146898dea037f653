import Core
import Runtime
import Synchronization
import System

/// Opens connections to servers over SSH, and shares them with other commands if their plans allow it.
package final class SSHTransport: Sendable {
    private let executor: LoopExecutor
    private let directory: MuxDirectory?
    private let diagnostics: any Diagnostics
    private let make: @Sendable (LoopExecutor) throws(VTError) -> SSHConnector
    /// The connector on `executor`, once it has been needed; loading libssh2 takes longer than most commands.
    private let connector = Mutex<SSHConnector?>(nil)
    private let threads = Mutex<[SSHConnector]>([])

    /// `directory` contains the shared connections; nil means that no connection is shared.
    ///
    /// `make` makes the connectors for other connections.
    package init(
        executor: LoopExecutor,
        directory: MuxDirectory?,
        diagnostics: any Diagnostics,
        make: @escaping @Sendable (LoopExecutor) throws(VTError) -> SSHConnector
    ) {
        self.executor = executor
        self.directory = directory
        self.diagnostics = diagnostics
        self.make = make
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
    private func connectAlone(
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
        guard let directory, let sharing = plan.sharing else {
            return try await connectAlone(plan, observer: observer)
        }
        let host = SharedHost(
            plan,
            sharing: sharing,
            directory: directory,
            executor: executor,
            diagnostics: diagnostics,
            observer: observer
        ) { () async throws(VTError) in try await self.connectAlone(plan, observer: observer) }
        return try await host.connect() ? host : connectAlone(plan, observer: observer)
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
