import Core
import Synchronization

/// Opens each connection on a new thread, so that the connections of one process encrypt and decrypt in parallel.
///
/// The threads last as long as the process.
package final class ThreadConnector: Connector {
    /// Makes the connector for a thread's executor.
    package typealias Maker = @Sendable (LoopExecutor) throws(VTError) -> any Connector

    private let make: Maker
    private let connectors = Mutex<[any Connector]>([])

    package init(_ make: @escaping Maker) {
        self.make = make
    }

    package func connect(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        try await connector().connect(plan, observer: observer)
    }

    package func hostKey(of plan: ConnectionPlan, type: String) async throws(VTError) -> HostKey? {
        try await connector().hostKey(of: plan, type: type)
    }

    package func close() async {
        for connector in connectors.withLock({ $0 }) { await connector.close() }
    }

    package func hostKeyTypes() throws(VTError) -> [String] {
        throw VTError(.internal, "a connector without connections has no host key types")
    }

    private func connector() async throws(VTError) -> any Connector {
        let connector = try make(try await LoopExecutor.onNewThread())
        connectors.withLock { $0.append(connector) }
        return connector
    }
}
