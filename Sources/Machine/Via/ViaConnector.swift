import Core

/// Opens connections without SSH, through the standard streams of programs on this machine.
package struct ViaConnector: Connector {
    private let machine: any CommandHost
    private let executor: any TaskExecutor
    private let clock: any Clock<Duration>

    /// `machine` runs the programs; `executor` runs the tasks that transfer their data.
    package init(machine: any CommandHost, executor: any TaskExecutor, clock: any Clock<Duration>) {
        self.machine = machine
        self.executor = executor
        self.clock = clock
    }

    package func connect(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        guard let via = plan.via else { throw VTError(.internal, "'\(plan.name)' has no program to run") }
        let link = ViaHost.Link(
            name: plan.name,
            command: via.command,
            connectTimeout: plan.limits.connectTimeout,
            machine: machine,
            executor: executor,
            clock: clock,
            observer: observer
        )
        return ViaHost(link, waiting: try await FarShell.start(over: link, terminal: via.terminal))
    }

    package func hostKey(of plan: ConnectionPlan, type: String) async throws(VTError) -> HostKey? {
        nil
    }

    package func hostKeyTypes() -> [String] {
        []
    }

    package func close() async {}
}
