import Core
import POSIX
import Synchronization

/// A server on a shared connection.
///
/// Each program has its own lease. If no shared connection can open a channel, the program runs on a connection that
/// this process opens, and keeps for the next program.
final class SharedHost: RemoteHost {
    private let plan: ConnectionPlan
    private let sharing: ConnectionSharing
    private let client: KeeperClient
    private let connector: any Connector
    private let observer: any ConnectionObserver
    /// The lease with which the connection was established, until it is used.
    private let first: Mutex<KeeperLease?>
    private let ownHost = Mutex<(any RemoteHost)?>(nil)
    private let ownTurn = AsyncLock()

    init(
        _ plan: ConnectionPlan,
        sharing: ConnectionSharing,
        lease: KeeperLease,
        client: KeeperClient,
        connector: any Connector,
        observer: any ConnectionObserver
    ) {
        self.plan = plan
        self.sharing = sharing
        self.client = client
        self.connector = connector
        self.observer = observer
        first = Mutex(lease)
    }

    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        guard let lease = try await openLease() else {
            return try await makeOwnHost().run(request, streams: streams)
        }
        return try await lease.run(request, streams: streams, observer: observer)
    }

    var files: any RemoteFiles {
        SharedFiles { () async throws(VTError) in
            try await self.lease(from: 0)
        } otherwise: {
            () async throws(VTError) in
            try await self.makeOwnHost().files
        }
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
    private func openLease() async throws(VTError) -> KeeperLease? {
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

    private func lease(from number: Int) async throws(VTError) -> KeeperLease? {
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
            let host = try await connector.connect(plan, observer: observer)
            ownHost.withLock { $0 = host }
            return host
        }
    }
}

/// The files of a server on a shared connection.
private struct SharedFiles: RemoteFiles {
    let lease: @Sendable () async throws(VTError) -> KeeperLease?
    /// The files on another connection.
    let otherwise: @Sendable () async throws(VTError) -> any RemoteFiles

    func status(of path: String) async throws(VTError) -> RemoteFileStatus? {
        guard let lease = try await lease() else { return try await otherwise().status(of: path) }
        return try await perform(.status(path: path), on: lease)
    }

    func makeDirectory(_ path: String, mode: UInt16) async throws(VTError) {
        guard let lease = try await lease() else { return try await otherwise().makeDirectory(path, mode: mode) }
        _ = try await perform(.makeDirectory(path: path, mode: mode), on: lease)
    }

    func create(_ path: String, mode: UInt16, from source: any ByteSource) async throws(VTError) {
        guard let lease = try await lease() else { return try await otherwise().create(path, mode: mode, from: source) }
        _ = try await perform(.create(path: path, mode: mode), on: lease, contents: source)
    }

    func remove(_ path: String) async throws(VTError) {
        guard let lease = try await lease() else { return try await otherwise().remove(path) }
        _ = try await perform(.remove(path: path), on: lease)
    }

    private func perform(
        _ call: KeeperFileCall,
        on lease: KeeperLease,
        contents: (any ByteSource)? = nil
    ) async throws(VTError) -> RemoteFileStatus? {
        do throws(VTError) {
            let status = try await lease.perform(call, contents: contents)
            await lease.close()
            return status
        } catch {
            await lease.close()
            throw error
        }
    }
}
