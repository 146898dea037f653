import Core
import POSIX
import SFTP

/// Gives access to the files of this machine and of servers.
package struct FileService: Sendable {
    /// A machine with files.
    package enum Place: Sendable {
        case local
        case remote(ConnectionPlan)
    }

    private let connector: any Connector
    private let local: any FileSystem
    private let observer: any ConnectionObserver

    /// The maximum number of bytes kept of what a server prints on standard error.
    private static let messageLimitBytes = 4096

    package init(connector: any Connector, local: any FileSystem, observer: any ConnectionObserver) {
        self.connector = connector
        self.local = local
        self.observer = observer
    }

    /// Passes the files of a machine to `body`, which must not use them afterward.
    ///
    /// If the task is canceled, the connection remains usable until `body` returns, so that it can remove temporary
    /// files.
    ///
    /// - Throws: Errors of `Connector.connect` and of `body`. If the server ends SFTP, the calls in progress throw
    ///   `host.unreachable` or `protocol`.
    package func withFiles<Result: Sendable>(
        of place: Place,
        _ body: (any FileSystem) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard case .remote(let plan) = place else { return try await body(local) }
        let host = try await connector.connect(plan, observer: observer)
        let client = SFTPClient(name: plan.name)
        // Not a child task, which would be canceled with this one.
        let conversation = Task { await Self.converse(client, with: host) }
        do throws(VTError) {
            let result = try await body(SFTPFileSystem(client))
            await Self.end(conversation, of: client, with: host)
            return result
        } catch {
            await Self.end(conversation, of: client, with: host)
            throw error
        }
    }

    /// Closes the resources shared by the connections.
    package func close() async {
        await connector.close()
    }

    // MARK: -

    /// Runs the SFTP server until it exits, or the task is canceled.
    private static func converse(_ client: SFTPClient, with host: any RemoteHost) async {
        let messages = BoundedSink(limitBytes: messageLimitBytes)
        let streams = ProgramStreams(input: client, output: client, errorOutput: messages)
        do throws(VTError) {
            let status = try await host.run(ExecRequest(.subsystem("sftp")), streams: streams)
            let lines = messages.text.split(whereSeparator: \.isNewline).map(String.init)
            let what = "the SFTP server of '\(client.name)' ended: \(status.phrase)"
            client.end(VTError(.protocolViolation, what, causes: lines))
        } catch {
            client.end(error)
        }
    }

    private static func end(_ conversation: Task<Void, Never>, of client: SFTPClient, with host: any RemoteHost) async {
        client.end(.cancelled)
        conversation.cancel()
        await conversation.value
        await host.close()
    }
}
