import Core

/// Opens each connection with the connector for its kind of plan: SSH or a program.
struct TransportConnector: Connector {
    let ssh: any Connector
    let via: any Connector

    func connect(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        try await (plan.via == nil ? ssh : via).connect(plan, observer: observer)
    }

    func hostKey(of plan: ConnectionPlan, type: String) async throws(VTError) -> HostKey? {
        try await ssh.hostKey(of: plan, type: type)
    }

    func hostKeyTypes() throws(VTError) -> [String] {
        try ssh.hostKeyTypes()
    }

    func close() async {
        await ssh.close()
        await via.close()
    }
}
