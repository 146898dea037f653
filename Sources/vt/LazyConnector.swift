import Core
import Synchronization

/// A connector that is created when it is first used, so that local commands need not load libssh2.
final class LazyConnector: Connector {
    private let made = Mutex<(any Connector)?>(nil)
    private let make: @Sendable () throws(VTError) -> any Connector

    init(_ make: @escaping @Sendable () throws(VTError) -> any Connector) {
        self.make = make
    }

    func connect(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        try await connector().connect(plan, observer: observer)
    }

    func hostKey(of plan: ConnectionPlan, type: String) async throws(VTError) -> HostKey? {
        try await connector().hostKey(of: plan, type: type)
    }

    func close() async {
        await made.withLock { $0 }?.close()
    }

    func hostKeyTypes() throws(VTError) -> [String] {
        try connector().hostKeyTypes()
    }

    private func connector() throws(VTError) -> any Connector {
        try made.withLock { made throws(VTError) in
            if let made { return made }
            let connector = try make()
            made = connector
            return connector
        }
    }
}
