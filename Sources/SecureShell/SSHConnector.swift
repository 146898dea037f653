import Core
import Glibc
import NIOCore
import POSIX

/// Opens SSH connections using libssh2.
///
/// Connections to jump hosts are shared by all targets and last until `close`.
package struct SSHConnector: Connector {
    private let library: SSHLibrary
    private let executor: LoopExecutor
    private let trustStore: any TrustStore
    private let environment: [ByteString]
    private let jumps: JumpPool
    /// A descriptor that libssh2 requires, makes non-blocking, and does not use otherwise.
    private let placeholder: SharedDescriptor

    /// The number of attempts if the server closes the connection before the key exchange is complete.
    ///
    /// Nothing has run at that point, and servers limit new connections in this way (MaxStartups of sshd_config(5)).
    private static let attempts = 5

    /// `environment` is the environment of proxy commands, as `NAME=VALUE`.
    package init(
        library: SSHLibrary,
        executor: LoopExecutor,
        trustStore: any TrustStore,
        environment: [ByteString]
    ) throws(VTError) {
        self.library = library
        self.executor = executor
        self.trustStore = trustStore
        self.environment = environment
        jumps = JumpPool(executor: executor)
        placeholder = SharedDescriptor(try POSIX.FileDescriptor.open("/dev/null", O_RDWR))
    }

    package func connect(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        try await connection(plan, observer: observer)
    }

    package func close() async {
        await jumps.close()
    }

    package func hostKeyTypes() -> [String] {
        var types: [String] = []
        for algorithm in AlgorithmPreference.strong(.hostKey) {
            let type = AlgorithmPreference.keyType(ofAlgorithm: algorithm)
            if !types.contains(type), type != "ssh-rsa" || library.verifiesRSAWithSHA2 { types.append(type) }
        }
        return types
    }

    package func hostKey(of plan: ConnectionPlan, type: String) async throws(VTError) -> HostKey? {
        try await withTimeout(plan.limits.connectTimeout, on: clock, throwing: lateness(plan)) {
            () async throws(VTError) in
            let (channel, proxy) = try await dial(plan, observer: SilentObserver())
            defer { proxy?.stop() }
            let connection = try connection(over: channel, for: plan, observer: SilentObserver())
            var found: HostKey?
            do throws(VTError) {
                try await connection.start()
                try await connection.handshake(
                    knownKeyTypes: [type],
                    isOnlyKnown: true,
                    allowedAlgorithms: plan.allowedAlgorithms,
                    descriptor: placeholder.number,
                    observer: SilentObserver()
                ) { key throws(VTError) in
                    found = key
                    // The server has proved that it owns the key, and nothing else is needed.
                    throw .cancelled
                }
            } catch {
                await connection.close()
                guard found == nil else { return found }
                if let offer = await connection.serverOffer,
                    !offer.hostKey.contains(where: { AlgorithmPreference.keyType(ofAlgorithm: $0) == type })
                {
                    return nil
                }
                throw error
            }
            return found
        }
    }

    // MARK: - Connecting

    /// Connects as `connect` does.
    func connection(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> RemoteSSHHost {
        let credentials = try await PreparedCredentials(plan.credentials)
        return try await withTimeout(plan.limits.connectTimeout, on: clock, throwing: lateness(plan)) {
            () async throws(VTError) in
            try await retrying(plan, observer: observer) { () async throws(VTError) in
                try await attempt(plan, credentials: credentials, observer: observer)
            }
        }
    }

    private var clock: LoopClock {
        LoopClock(executor)
    }

    private func lateness(_ plan: ConnectionPlan) -> VTError {
        VTError(
            .hostUnreachable,
            "'\(plan.name)' did not answer within \(plan.limits.connectTimeout.shortText)",
            hint: ConnectionLimits.hint
        )
    }

    /// Retries with increasing delays while the server closes the connection before the key exchange is complete.
    private func retrying<Result: Sendable>(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver,
        _ body: () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        var pause = Duration.milliseconds(100)
        for _ in 1..<Self.attempts {
            do throws(VTError) {
                return try await body()
            } catch {
                guard error.isTransient else { throw error }
                observer.connection(plan.name, reached: .retrying(after: error))
            }
            // Up to 50% longer, so that many clients do not retry at the same moment.
            let jitter = Double.random(in: 1...1.5)
            do {
                try await clock.sleep(for: pause * jitter)
            } catch {
                throw .cancelled
            }
            pause *= 2
        }
        return try await body()
    }

    private func attempt(
        _ plan: ConnectionPlan,
        credentials: PreparedCredentials,
        observer: any ConnectionObserver
    ) async throws(VTError) -> RemoteSSHHost {
        let known = try trustStore.knownKeyTypes(for: plan.endpoint, in: plan.hostKeyLookup)
        let (channel, proxy) = try await dial(plan, observer: observer)
        do throws(VTError) {
            let connection = try connection(over: channel, for: plan, observer: observer)
            let host = RemoteSSHHost(connection: connection, proxy: proxy)
            do throws(VTError) {
                try await connection.start()
                let (store, placeholder) = (trustStore, placeholder)
                try await connection.handshake(
                    knownKeyTypes: known,
                    allowedAlgorithms: plan.allowedAlgorithms,
                    descriptor: placeholder.number,
                    observer: observer
                ) { key throws(VTError) in
                    try store.check(key, for: plan.endpoint, policy: plan.hostKeyPolicy, in: plan.hostKeyLookup)
                }
                let method = try await connection.authenticate(user: plan.user, with: credentials, observer: observer)
                await connection.endLogin()
                observer.connection(plan.name, reached: .authenticated(method: method))
                await connection.startKeepAlive(
                    every: plan.limits.keepAliveInterval,
                    count: plan.limits.keepAliveCount
                )
                return host
            } catch {
                // Closing the host would terminate the proxy command, whose own failure explains the error better.
                let failure = await proxy?.failure(after: error, for: plan.name, on: clock)
                await host.close()
                throw failure ?? error
            }
        } catch {
            proxy?.stop()
            throw error
        }
    }

    private func connection(
        over channel: any Channel,
        for plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) throws(VTError) -> SSHConnection {
        try SSHConnection(
            name: plan.name,
            channel: channel,
            executor: executor,
            observer: observer,
            answerTimeout: plan.limits.connectTimeout
        )
    }

    private func dial(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> (any Channel, ProxyCommand?) {
        switch plan.route {
        case .direct:
            let addresses = try await HostResolver().addresses(of: plan.endpoint, family: plan.addressFamily)
            observer.connection(plan.name, reached: .resolved(addresses: addresses.compactMap(\.ipAddress)))
            let dialer = TCPDialer(eventLoop: await executor.eventLoop())
            let channel = try await dialer.connect(to: plan.endpoint, at: addresses)
            observer.connection(plan.name, reached: .connected(address: channel.remoteAddress?.ipAddress))
            return (channel, nil)
        case .jump(let hop):
            let channel = try await jumps.tunnel(to: plan.endpoint, through: hop) { () async throws(VTError) in
                try await self.connection(hop, observer: observer)
            }
            observer.connection(plan.name, reached: .connected(address: nil))
            return (channel, nil)
        case .proxyCommand(let command):
            let proxy = try await ProxyCommand.start(
                command,
                for: plan.name,
                environment: environment,
                on: await executor.eventLoop()
            )
            observer.connection(plan.name, reached: .connected(address: nil))
            return (proxy.channel, proxy)
        }
    }
}

/// An observer that ignores all steps.
private struct SilentObserver: ConnectionObserver {
    func connection(_ name: String, reached step: ConnectionStep) {}
}
