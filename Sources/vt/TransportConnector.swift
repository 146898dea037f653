import Core
import HTTP
import Runtime
import SecureShell
import Services

/// Opens each connection over the transport of its plan.
struct TransportConnector: Connector {
    let ssh: SSHTransport
    /// Makes the machine that runs programs.
    let machine: @Sendable () -> LocalMachine
    let executor: LoopExecutor
    let http: HTTPClient

    func connect(_ plan: ConnectionPlan, observer: @escaping ConnectionObserver) async throws(VTError) -> any RemoteHost
    {
        switch plan {
        case .ssh(let plan):
            try await ssh.connect(plan, observer: observer)
        case .program(let plan):
            try await ViaHost.connect(
                plan,
                on: machine(),
                executor: executor,
                clock: LoopClock(executor),
                observer: observer
            )
        case .link(let plan):
            try await LinkHost.connect(plan, client: http, observer: observer)
        case .vibeTunnel(let plan):
            throw VTError(
                .usage,
                "'\(plan.name)' is a VibeTunnel server, on which only sessions can be used",
                hint: "to run a command there, use 'vt sessions create \(plan.name):NAME -- COMMAND'"
            )
        }
    }

    func check(_ plan: ConnectionPlan) throws(VTError) {
        guard case .ssh(let plan) = plan else { return }
        try SSHTransport.check(plan)
    }

    func hostKey(of plan: SSHPlan, type: String) async throws(VTError) -> HostKey? {
        try await ssh.hostKey(of: plan, type: type)
    }

    func hostKeyTypes() throws(VTError) -> [String] {
        try ssh.hostKeyTypes()
    }

    func close() async {
        await ssh.close()
    }
}
