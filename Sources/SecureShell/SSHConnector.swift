import Core
import Glibc
import NIOCore
import Runtime
import System
import struct System.FileDescriptor

/// Opens SSH connections using libssh2.
///
/// Connections to jump hosts are shared by all targets and last until `close`.
package struct SSHConnector: Sendable {
    private let library: SSHLibrary
    private let executor: LoopExecutor
    private let trustStore: any TrustStore
    private let environment: [ByteString]
    private let jumps: JumpPool
    private let pacer = ConnectionPacer()
    /// A descriptor that libssh2 requires, makes non-blocking, and otherwise does not use.
    private let placeholder: SharedDescriptor

    /// The number of attempts if the server closes the connection before the key exchange is complete.
    ///
    /// Nothing has run at that point. A server that is known to be at its limit of new connections (MaxStartups of
    /// sshd_config(5)) is tried until the connect timeout.
    private static let attempts = 5
    /// How long the user may take to answer; servers disconnect much earlier (LoginGraceTime of sshd_config(5)).
    private static let promptLimit = Duration.seconds(3600)
    /// The maximum pause between attempts.
    private static let pauseLimit = Duration.seconds(2)

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
        placeholder = SharedDescriptor(try FileDescriptor.open("/dev/null", O_RDWR))
    }

    func close() async {
        await jumps.close()
    }

    func hostKeyTypes() -> [String] {
        var types: [String] = []
        for algorithm in AlgorithmPreference.strong(.hostKey) {
            let type = AlgorithmPreference.keyType(ofAlgorithm: algorithm)
            if !types.contains(type), type != "ssh-rsa" || library.verifiesRSAWithSHA2 { types.append(type) }
        }
        return types
    }

    func hostKey(of plan: SSHPlan, type: String) async throws(VTError) -> HostKey? {
        try await withTimeout(plan.limits.connectTimeout, on: clock, throwing: lateness(plan)) {
            () async throws(VTError) in
            let connection = try await dialed(plan, observer: { _, _ in })
            var found: HostKey?
            do throws(VTError) {
                try await connection.start()
                try await connection.handshake(
                    knownKeyTypes: [type],
                    isOnlyKnown: true,
                    plan: plan,
                    descriptor: placeholder.number,
                    observer: { _, _ in }
                ) { key throws(VTError) in
                    found = key
                    // The server has proved that it owns the key, and nothing else is needed.
                    throw .cancelled
                }
            } catch {
                await connection.close()
                guard found == nil else { return found }
                if let offer = await connection.greeting.algorithms?[.hostKey],
                    !offer.contains(where: { AlgorithmPreference.keyType(ofAlgorithm: $0) == type })
                {
                    return nil
                }
                throw error
            }
            return found
        }
    }

    // MARK: - Connecting

    /// Connects, checks the host key and authenticates, as `Connector.connect` does.
    func connection(
        _ plan: SSHPlan,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> SSHConnection {
        let accepted = try AlgorithmPreference.userKeys(plan.algorithms[.userKey])
        let credentials = try await PreparedCredentials(
            plan.credentials,
            of: plan.hostKeyLookup.alias ?? plan.endpoint.host,
            prompter: plan.prompter,
            accepting: accepted,
            minimumRSABits: plan.hostKeyLookup.minimumRSABits
        )
        let isAsking = plan.prompter?.makeActivityCheck()
        return try await withTimeout(
            plan.limits.connectTimeout,
            on: clock,
            throwing: lateness(plan),
            upTo: isAsking == nil ? .zero : Self.promptLimit,
            while: { isAsking?() ?? false }
        ) { () async throws(VTError) in
            try await retrying(plan, credentials: credentials, observer: observer)
        }
    }

    private var clock: LoopClock {
        LoopClock(executor)
    }

    private func lateness(_ plan: SSHPlan) -> VTError {
        Self.lateness(of: plan.name, after: plan.limits.connectTimeout)
    }

    /// The error if a server did not answer in time.
    static func lateness(of name: String, after timeout: Duration) -> VTError {
        var error = VTError(
            .hostUnreachable,
            "'\(name)' did not answer within \(timeout.shortText)",
            hint: ConnectionLimits.hint
        )
        error.connectErrno = ETIMEDOUT
        return error
    }

    /// Why an attempt failed.
    private struct AttemptFailure: Error {
        var error: VTError
        /// Whether the server closed the connection before it identified itself.
        var isRefusal = false
        /// Whether the server said that too many connections are not authenticated yet.
        var namesLimit = false
    }

    /// Retries with increasing delays while the server closes the connection before the key exchange is complete.
    private func retrying(
        _ plan: SSHPlan,
        credentials: PreparedCredentials,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> SSHConnection {
        let deadline = clock.now.advanced(by: plan.limits.connectTimeout)
        var failures = 0
        var pause = Duration.milliseconds(100)
        while true {
            let place = try await pacer.enter(plan.endpoint)
            do throws(AttemptFailure) {
                let host = try await attempt(plan, credentials: credentials, observer: observer)
                pacer.leave(place, .accepted)
                return host
            } catch {
                pacer.leave(place, error.isRefusal ? .refused : .failed)
                failures += 1
                let isTemporary = error.namesLimit || error.isRefusal && pacer.hasAccepted(plan.endpoint)
                // Up to 50% longer, so that many clients do not retry at the same moment.
                let delay = pause * Double.random(in: 1...1.5)
                guard error.error.isTransient, failures < Self.attempts || isTemporary,
                    clock.now.advanced(by: delay) < deadline
                else { throw error.error }
                observer(plan.name, .retrying(after: error.error))
                try await clock.pause(for: delay)
                pause = min(pause * 2, Self.pauseLimit)
            }
        }
    }

    private func attempt(
        _ plan: SSHPlan,
        credentials: PreparedCredentials,
        observer: @escaping ConnectionObserver
    ) async throws(AttemptFailure) -> SSHConnection {
        let known: [String]
        let connection: SSHConnection
        do throws(VTError) {
            let prefersKnown = AlgorithmPreference.prefersKnownKeyTypes(plan.algorithms[.hostKey])
            let lookup = prefersKnown ? try await lookup(plan, for: .order) : plan.hostKeyLookup
            known = try trustStore.knownKeyTypes(for: plan.endpoint, in: lookup)
            connection = try await dialed(plan, observer: observer)
        } catch {
            throw AttemptFailure(error: error)
        }
        do throws(VTError) {
            try await logIn(plan, on: connection, known: known, credentials: credentials, observer: observer)
            return connection
        } catch {
            // Closing the connection would terminate the proxy command, whose own failure explains the error better.
            let failure = await connection.proxy?.failure(after: error, for: plan.name, on: clock)
            let greeting = await connection.greeting
            await connection.close()
            throw AttemptFailure(
                error: failure ?? error,
                isRefusal: error.isTransient && greeting.identification == nil,
                namesLimit: greeting.namesStartupLimit
            )
        }
    }

    private func logIn(
        _ plan: SSHPlan,
        on connection: SSHConnection,
        known: [String],
        credentials: PreparedCredentials,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) {
        try await connection.start()
        let address = await connection.remoteAddress
        try await connection.handshake(
            knownKeyTypes: known,
            plan: plan,
            descriptor: placeholder.number,
            observer: observer
        ) { key async throws(VTError) in
            try await verdict(on: key, of: plan, at: address)
        }
        let method = try await connection.authenticate(user: plan.user, with: credentials)
        await connection.endLogin()
        observer(plan.name, .authenticated(method: method))
        await connection.startKeepAlive(every: plan.limits.keepAliveInterval, count: plan.limits.keepAliveCount)
    }

    /// Decides whether to trust the server's key.
    private func verdict(
        on key: HostKey,
        of plan: SSHPlan,
        at address: String?
    ) async throws(VTError) -> TrustVerdict {
        let store = trustStore
        var lookup = try await lookup(plan, for: .hostName, key: key)
        if lookup.checksAddress, lookup.alias == nil, let address, address != plan.endpoint.host {
            lookup.address = address
        }
        var policy = plan.hostKeyPolicy
        if policy == .ask, let prompter = plan.prompter,
            try store.knownKeyTypes(for: plan.endpoint, in: lookup).isEmpty
        {
            let fingerprint = store.fingerprint(of: key)
            if try await prompter.trusts(key, fingerprint, of: plan, at: address) { policy = .acceptNew }
        }
        let (decided, complete) = (policy, lookup)
        return try await FileLock.retry(on: clock) { () throws(VTError) in
            try store.check(key, for: plan.endpoint, policy: decided, in: complete)
        }
    }

    /// The lookup of a host key, with the keys that KnownHostsCommand prints.
    private func lookup(
        _ plan: SSHPlan,
        for purpose: KnownHostsCommand.Purpose,
        key: HostKey? = nil
    ) async throws(VTError) -> HostKeyLookup {
        var lookup = plan.hostKeyLookup
        guard !lookup.command.isEmpty else { return lookup }
        let command = KnownHostsCommand(
            words: lookup.command,
            environment: environment,
            timeout: plan.limits.connectTimeout,
            clock: clock
        )
        lookup.listedKeys = try await command.output(
            for: purpose,
            name: lookup.name(of: plan.endpoint),
            key: key,
            fingerprint: key.map(trustStore.fingerprint)
        )
        return lookup
    }

    /// Returns a connection to the server on which nothing has been sent.
    private func dialed(
        _ plan: SSHPlan,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> SSHConnection {
        let (channel, proxy) = try await dial(plan, observer: observer)
        do throws(VTError) {
            return try SSHConnection(
                name: plan.name,
                channel: channel,
                proxy: proxy,
                executor: executor,
                observer: observer,
                answerTimeout: plan.limits.connectTimeout
            )
        } catch {
            proxy?.stop()
            throw error
        }
    }

    private func dial(
        _ plan: SSHPlan,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> (any Channel, ProxyCommand?) {
        switch plan.route {
        case .direct:
            let addresses = try await HostResolver().addresses(of: plan.endpoint, family: plan.addressFamily)
            observer(plan.name, .resolved(addresses: addresses.compactMap(\.ipAddress)))
            let dialer = TCPDialer(eventLoop: try await executor.eventLoop())
            let source = try LocalAddress(plan)
            let channel = try await dialer.connect(to: plan.endpoint, at: addresses, from: source)
            observer(plan.name, .connected(address: channel.remoteAddress?.ipAddress))
            return (channel, nil)
        case .jump(let hop):
            let channel = try await jumps.tunnel(to: plan.endpoint, through: hop) { () async throws(VTError) in
                try await self.connection(hop, observer: observer)
            }
            observer(plan.name, .connected(address: nil))
            return (channel, nil)
        case .proxyCommand(let command):
            let proxy = try await ProxyCommand.start(
                command,
                for: plan.name,
                environment: environment,
                on: try await executor.eventLoop()
            )
            observer(plan.name, .connected(address: nil))
            return (proxy.channel, proxy)
        }
    }
}
