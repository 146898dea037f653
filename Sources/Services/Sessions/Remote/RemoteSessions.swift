import Core
import Recording
import Runtime
import Storage
import Synchronization

/// The sessions of a server, to which `vt relay` passes the calls.
package final class RemoteSessions: SessionMachine {
    /// The server's name in messages.
    let name: String
    private let world: World
    private let plan: ConnectionPlan
    /// The profile, whose settings apply to programs; nil for a server without a profile.
    private let profile: Profile?
    private let connector: any Connector
    private let cache: FileSessionNameCache
    private let connection = Mutex<(any RemoteHost)?>(nil)
    private let connecting = AsyncLock()

    package init(plan: ConnectionPlan, profile: Profile?, in world: World) throws(VTError) {
        (name, self.plan, self.profile, self.world) = (plan.name, plan, profile, world)
        connector = world.makeConnector()
        cache = try FileSessionNameCache(world)
    }

    var clock: any Clock<Duration> { world.clock }
    var diagnostics: any Diagnostics { world.diagnostics }
    var version: String { world.version }

    package var greetingTimeout: Duration? { plan.connectTimeout }

    package func name(of session: String) -> String { SessionReference(profile: name, session: session).text }

    package func perform(_ call: SessionCall, _ receive: @escaping SessionReceiver) async throws(VTError) {
        let name = call.session
        switch call.verb {
        case let creation as SessionCreation: try await converse(SessionCall(try withSettings(creation)), receive)
        case let request as ListRequest where request.filter == SessionFilter(): try await list(receive)
        case let request as LogsRequest: try await logs(of: name, request, receive)
        case let request as RecordRequest: try await record(name, request, receive)
        case let request as LineExecution: try await execute(request, in: name, receive)
        case let request as WaitRequest: try await wait(request, of: name, receive)
        default: try await converse(call, receive)
        }
    }

    /// The request, with the settings of the profile where it has none of its own.
    private func withSettings(_ creation: SessionCreation) throws(VTError) -> SessionCreation {
        guard let profile else { return creation }
        var creation = creation
        creation.directory = creation.directory ?? profile.cwd
        let named = Set(creation.variables.map(\.name))
        let variables = try profile.environment.sorted { $0.key < $1.key }.filter { !named.contains($0.key) }
            .map { name, value throws(VTError) in try EnvironmentVariable("\(name)=\(value)") }
        creation.variables = variables + creation.variables
        return creation
    }

    /// Lists all sessions, and caches their names for completion, if the server has a profile and its user has not been
    /// overridden.
    private func list(_ receive: @escaping SessionReceiver) async throws(VTError) {
        let names = Mutex<[String]>([])
        try await converse(SessionCall(ListRequest())) { frame throws(VTError) in
            if case .record(let session) = frame, let name = try? SessionName(session.name) {
                names.withLock { $0.append(name.text) }
            }
            return try await receive(frame)
        }
        guard let profile, profile.name == name else { return }
        cache.remember(names.withLock { $0 }, of: profile.name)
    }

    package func close() async {
        await disconnect()
        await connector.close()
    }

    // MARK: - Connection

    /// The shared connection, established on first use.
    func connected() async throws(VTError) -> any RemoteHost {
        try await connecting.withLock { () async throws(VTError) in
            if let host = connection.withLock({ $0 }) { return host }
            let host = try await connect()
            connection.withLock { $0 = host }
            return host
        }
    }

    private func connect() async throws(VTError) -> any RemoteHost {
        try await connector.connect(plan, observer: diagnostics.connectionDetails)
    }

    /// Discards a connection that was lost.
    func disconnect() async {
        let host = connection.withLock { host in
            defer { host = nil }
            return host
        }
        await host?.close()
    }

    /// Opens a separate connection for each channel, because a client of a holder reconnects on its own.
    package func withHolder(
        of session: String,
        _ body: @escaping @Sendable (any SessionChannel) async throws(VTError) -> ExitStatus?
    ) async throws(VTError) -> ExitStatus? {
        let host = try await connect()
        let version = version
        return try await withCleanup(host.close) { () async throws(VTError) in
            try await withRelay(on: host, isKept: false, isReplaceable: false) { channel throws(VTError) in
                _ = try await channel.begin(SessionCall(ConnectRequest(), on: session), version: version)
                return try await body(channel)
            }
        }
    }

    // MARK: - Conversations

    private func converse(_ call: SessionCall, _ receive: @escaping SessionReceiver) async throws(VTError) {
        try await converse(call, on: try await connected(), {}, receive)
    }

    /// Makes a call and receives its result; calls `answered` once the server's vt has greeted.
    ///
    /// - Throws: `protocol` when the server's vt does not greet in time, or is silent for longer than the call allows;
    ///   `host.unreachable` when the server does not answer either.
    func converse(
        _ call: SessionCall,
        on host: any RemoteHost,
        _ answered: @escaping @Sendable () -> Void,
        _ receive: @escaping SessionReceiver
    ) async throws(VTError) {
        let limit = call.verb.workLimit.map { Self.answerTimeout + $0 }
        // A line may have been received; it is identified, so that it does not run again.
        let onSilence = { @Sendable in if call.verb is LineExecution { answered() } }
        var (isPerformed, attempts) = (false, 0)
        while !isPerformed {
            attempts += 1
            let isReplaceable = call.verb.isShort && attempts < Self.relayAttempts
            isPerformed = try await withRelay(
                on: host,
                isKept: call.verb.isShort,
                isReplaceable: isReplaceable
            ) { channel throws(VTError) in
                let rest = try await channel.begin(call, version: self.version)
                let isReady = try await self.limiting(Self.answerTimeout, on: host, onSilence: onSilence) {
                    () async throws(VTError) in
                    try await channel.greet()
                }
                guard isReady else { return false }
                answered()
                try await channel.send(rest)
                while true {
                    let frame = try await self.limiting(limit, on: host, onSilence: onSilence) {
                        () async throws(VTError) in
                        try await channel.nextResult()
                    }
                    guard let frame, try await receive(frame) else { return true }
                }
            }
        }
    }

    /// How many relays may be killed before they take a call; more than a shared connection keeps.
    private static let relayAttempts = 8

    /// How long a server's vt may take to answer if that involves no waiting.
    static let answerTimeout = Duration.seconds(30)

    /// How long a server may take to run a program if its vt is silent.
    private static let checkTimeout = Duration.seconds(10)

    private func limiting<Result: Sendable>(
        _ limit: Duration?,
        on host: any RemoteHost,
        onSilence: () -> Void,
        _ body: @escaping @Sendable () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard let limit else { return try await body() }
        if let result = try await resultInTime(limit, on: clock, body) { return result }
        guard await answers(host) else {
            // The connection has not been lost.
            onSilence()
            throw VTError(.hostUnreachable, "'\(name)' has stopped answering")
        }
        throw VTError(
            .protocolViolation,
            "vt on '\(name)' did not answer within \(limit.shortText)",
            hint: "to see whether it is running there, use 'vt exec \(name) -- ps -C vt'"
        )
    }

    /// Whether a server still answers, so that only its vt is silent.
    private func answers(_ host: any RemoteHost) async -> Bool {
        let silence = VTError(.hostUnreachable, "'\(name)' did not answer")
        let sink = CallbackSink { _ in }
        let streams = ProgramStreams(input: BytesSource(), output: sink, errorOutput: sink)
        do throws(VTError) {
            _ = try await withTimeout(Self.checkTimeout, on: clock, throwing: silence) { () async throws(VTError) in
                try await host.run(ExecRequest(.arguments(["true"])), streams: streams)
            }
            return true
        } catch {
            return error.code != .hostUnreachable
        }
    }

    /// Runs `vt relay` on a host for the duration of `body`.
    private func withRelay<Result: Sendable>(
        on host: any RemoteHost,
        isKept: Bool,
        isReplaceable: Bool,
        _ body: @escaping @Sendable (RelayChannel) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let channel = RelayChannel(to: name, diagnostics: diagnostics)
        let result = await withTaskGroup(of: Swift.Result<Result, VTError>?.self) { group in
            group.addTask {
                await channel.run(on: host, isKept: isKept, isReplaceable: isReplaceable)
                return nil
            }
            group.addTask {
                do throws(VTError) {
                    return .success(try await body(channel))
                } catch {
                    return .failure(error)
                }
            }
            var result: Swift.Result<Result, VTError>?
            while result == nil, let next = await group.next() { result = next }
            if isKept, channel.isAtRest, host.keepsPrograms {
                await channel.close()
            } else {
                // The relay is not to be used again, even if the shared connection could keep it.
                group.cancelAll()
            }
            return result ?? .failure(.cancelled)
        }
        return try result.get()
    }
}
