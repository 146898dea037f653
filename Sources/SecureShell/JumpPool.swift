import Core
import NIOCore
import Runtime

/// The connections to jump hosts, shared by all targets that use them.
///
/// A libssh2 session opens one channel at a time, and opening one to an unreachable server fails only at the timeout.
/// Therefore, each host gets up to `connectionLimit` connections, preferably one for each channel being opened.
actor JumpPool {
    /// Identifies a jump by its encoded plan; connections to jumps with equal keys are shared.
    private typealias Key = [UInt8]

    private let executor: LoopExecutor
    private var hosts: [Key: [SSHConnection]] = [:]
    /// The number of connections being established, by jump.
    private var pending: [Key: Int] = [:]
    private var waiters: [Key: [CheckedContinuation<Result<Void, VTError>, Never>]] = [:]

    /// The maximum number of connections to a host, below OpenSSH's default limit of 10 unauthenticated connections
    /// (MaxStartups).
    private static let connectionLimit = 4

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    init(executor: LoopExecutor) {
        self.executor = executor
    }

    /// Opens a tunnel to a server through a jump host, on an available connection or one that `connect` establishes.
    func tunnel(
        to endpoint: Endpoint,
        through hop: SSHPlan,
        connect: @Sendable () async throws(VTError) -> SSHConnection
    ) async throws(VTError) -> any Channel {
        let key = PlanCoding.encode(hop, context: "", environment: [])
        return try await host(key, connect: connect).tunnel(to: endpoint)
    }

    func close() async {
        for host in hosts.values.joined() { await host.close() }
        hosts = [:]
    }

    private func host(
        _ key: Key,
        connect: @Sendable () async throws(VTError) -> SSHConnection
    ) async throws(VTError) -> SSHConnection {
        while true {
            var leastBusy: (host: SSHConnection, opens: Int)?
            var usable = 0
            for host in hosts[key, default: []] {
                guard let opens = await host.opensIfUsable else { continue }
                if opens == 0 { return host }
                usable += 1
                if leastBusy.map({ opens < $0.opens }) ?? true { leastBusy = (host, opens) }
            }
            if usable + pending[key, default: 0] < Self.connectionLimit {
                return try await makeHost(key, connect: connect)
            }
            if let leastBusy { return leastBusy.host }
            try await withCheckedContinuation { waiters[key, default: []].append($0) }.get()
        }
    }

    /// Establishes a connection; all waiting tasks share the result.
    private func makeHost(
        _ key: Key,
        connect: @Sendable () async throws(VTError) -> SSHConnection
    ) async throws(VTError) -> SSHConnection {
        pending[key, default: 0] += 1
        var outcome: Result<Void, VTError> = .success(())
        defer {
            pending[key, default: 0] -= 1
            for waiter in waiters.removeValue(forKey: key) ?? [] { waiter.resume(returning: outcome) }
        }
        do throws(VTError) {
            let host = try await connect()
            hosts[key, default: []].append(host)
            return host
        } catch {
            // The cancellation of this task does not affect the other waiters.
            if !error.isCancellation { outcome = .failure(error) }
            throw error
        }
    }
}
