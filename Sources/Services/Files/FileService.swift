import Core
import Runtime

/// Provides access to the files on this machine and on servers.
package struct FileService: Sendable {
    /// A machine with files.
    package enum Place: Sendable {
        case local
        case remote(ConnectionPlan)

        /// Whether both are this machine, or the same saved server.
        func isSameMachine(as other: Place) -> Bool {
            switch (self, other) {
            case (.local, .local): true
            case (.remote(let plan), .remote(let otherPlan)): plan.name == otherPlan.name
            case (.local, .remote), (.remote, .local): false
            }
        }
    }

    private let connector: any Connector
    private let local = LocalFileSystem()
    private let clock: any Clock<Duration>
    private let observer: ConnectionObserver

    package init(_ world: World) {
        (connector, clock, observer) = (world.makeConnector(), world.clock, world.observer)
    }

    /// Passes the files of a machine to `body`, which must not use them afterward.
    ///
    /// With `connections`, large files are transferred through several SFTP sessions, and very large ones over that number
    /// of further connections, which can be 0. If the task is canceled, a connection remains usable until `body` returns,
    /// so that it can remove temporary files.
    ///
    /// - Throws: Errors of `Connector.connect` and of `body`. If the server ends SFTP, the calls in progress throw
    ///   `host.unreachable` or `protocol`.
    package func withFiles<Result: Sendable>(
        of place: Place,
        connections: Int? = nil,
        _ body: (any FileSystem) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard case .remote(let plan) = place else { return try await body(local) }
        let host = try await connector.connect(plan, observer: observer)
        return try await withCleanup(host.close) { () async throws(VTError) in
            guard let plan = plan.ssh else {
                let shell = ShellConversation(name: plan.name)
                let program = ConversationProgram(ExecRequest(.arguments(["sh"])), for: shell, on: host)
                return try await withCleanup(program.stop) { () async throws(VTError) in
                    try await body(ShellFileSystem(host: host, shell: shell))
                }
            }
            let session = SFTPSession(on: host, plan, clock: clock)
            return try await withCleanup(session.close) { () async throws(VTError) in
                try await session.limitingEnd { () async throws(VTError) in
                    guard let connections else { return try await body(session.files) }
                    let additional = AdditionalSessions(
                        on: host,
                        plan,
                        connections: connections,
                        connector: connector,
                        traits: session.files.client.traits,
                        clock: clock
                    )
                    return try await withCleanup(additional.close) { () async throws(VTError) in
                        try await body(ParallelFileSystem(session.files, additional: additional))
                    }
                }
            }
        }
    }

    /// Closes the resources shared by the connections.
    package func close() async {
        await connector.close()
    }
}
