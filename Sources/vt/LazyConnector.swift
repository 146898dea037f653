import Core

/// A connector that is created when it is first used, so that local commands need not load libssh2.
final class LazyConnector: Connector {
    private let connector: OnFirstUse<any Connector>

    init(_ make: @escaping @Sendable () throws(VTError) -> any Connector) {
        connector = OnFirstUse(make)
    }

    func connect(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        try await connector.value().connect(plan, observer: observer)
    }

    func hostKey(of plan: ConnectionPlan, type: String) async throws(VTError) -> HostKey? {
        try await connector.value().hostKey(of: plan, type: type)
    }

    func close() async {
        await connector.ifMade?.close()
    }

    func hostKeyTypes() throws(VTError) -> [String] {
        try connector.value().hostKeyTypes()
    }
}
