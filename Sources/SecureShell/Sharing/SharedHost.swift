import Core
import Runtime
import Synchronization

/// A server on a shared connection.
///
/// Each program has its own lease. If no shared connection can open a channel, the program runs on a connection that
/// this process opens, and keeps for the next program.
final class SharedHost: RemoteHost {
    private let plan: SSHPlan
    private let sharing: ConnectionSharing
    private let client: MuxClient
    private let transport: SSHTransport
    private let observer: ConnectionObserver
    /// The lease with which the connection was established, until it is used.
    private let first: Mutex<MuxLease?>
    private let ownHost = Mutex<(any RemoteHost)?>(nil)
    private let ownTurn = AsyncLock()

    init(
        _ plan: SSHPlan,
        sharing: ConnectionSharing,
        lease: MuxLease,
        client: MuxClient,
        transport: SSHTransport,
        observer: @escaping ConnectionObserver
    ) {
        self.plan = plan
        self.sharing = sharing
        self.client = client
        self.transport = transport
        self.observer = observer
        first = Mutex(lease)
    }

    var keepsPrograms: Bool { ownHost.withLock { $0 == nil } }

    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        guard let lease = try await beforeStart(openLease) else {
            return try await beforeStart(makeOwnHost).run(request, streams: streams)
        }
        return try await lease.run(request, streams: streams, observer: observer)
    }

    func close() async {
        let lease = first.withLock { lease in
            defer { lease = nil }
            return lease
        }
        await lease?.close()
        await ownHost.withLock { $0 }?.close()
    }

    // MARK: - Leases

    /// Returns a lease with an open channel; nil if there is none on any shared connection.
    private func openLease() async throws(VTError) -> MuxLease? {
        var number = 0
        var failures = 0
        while let lease = try await lease(from: number) {
            switch try await lease.open() {
            case .opened: return lease
            case .full: number = lease.number + 1
            case .unusable: failures += 1
            }
            await lease.close()
            guard failures < 2 else { return nil }
        }
        return nil
    }

    private func lease(from number: Int) async throws(VTError) -> MuxLease? {
        let unused = first.withLock { lease in
            defer { lease = nil }
            return lease
        }
        if let unused { return unused }
        return try await client.lease(plan, sharing: sharing, from: number, observer: observer)
    }

    private func makeOwnHost() async throws(VTError) -> any RemoteHost {
        try await ownTurn.withLock { () async throws(VTError) in
            if let host = ownHost.withLock({ $0 }) { return host }
            let host = try await transport.connectAlone(plan, observer: observer)
            ownHost.withLock { $0 = host }
            return host
        }
    }
}
