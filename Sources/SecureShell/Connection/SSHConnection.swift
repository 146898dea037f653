import Core
import NIOCore
import Runtime

/// One SSH connection: libssh2 driven by a NIO channel, on the channel's event loop.
///
/// Every call into the library follows the same pattern (`perform`): call, flush, and on EAGAIN wait for bytes and
/// repeat the call. Because the wire accepts every send, no packet is ever left partly sent, and calls for several
/// channels can alternate; only opening a channel and authenticating keep state in the session and are serialized.
actor SSHConnection: RemoteHost {
    /// The server's name in messages.
    nonisolated let name: String
    nonisolated let executor: LoopExecutor
    /// The channel's event loop.
    nonisolated let eventLoop: any EventLoop
    /// How long the server may take to open a channel and start a program.
    let answerTimeout: Duration
    let wire = Wire()
    let session: SessionHandle
    let observer: ConnectionObserver
    /// The error that ended the connection; set once.
    private(set) var failure: VTError?
    /// The number of channels being opened or waiting to be opened.
    private var pendingOpens = 0

    /// The server's identification line (RFC 4253 §4.2); empty before the handshake.
    var serverIdentification = ""
    /// The user whose login was requested last; empty before the first attempt.
    var user = ""
    /// The proof for agents that the server owns its host key; nil before the handshake.
    var hostKeyProof: HostKeyProof?
    /// The number of banners that have been reported.
    var reportedBanners = 0
    private let channel: any Channel
    /// The proxy command through which the connection goes.
    nonisolated let proxy: ProxyCommand?
    /// Updated when there are new bytes, there is room to send, or the connection has ended.
    private let events = Monitor(())
    private let turn = AsyncLock()
    /// The lock that serializes channel requests that wait for a reply (RFC 4254 §5.4).
    ///
    /// While libssh2 1.10 waits for such a reply, it fails if one for another channel arrives
    /// (`_libssh2_packet_requirev`).
    private let requestTurn = AsyncLock()
    private var channels: [ChannelID: ChannelHandle] = [:]

    /// Whether the server does not bear another channel: with two SFTP sessions on a connection, ProFTPD's mod_sftp
    /// confuses their handles, and answers neither of them.
    var isFull: Bool { !channels.isEmpty && serverIdentification.contains("mod_sftp") }
    private var nextChannel = 0
    /// Channels that the server has not closed yet.
    private var closing: [ChannelHandle] = []
    var tunnels: [ChannelID: Tunnel] = [:]
    /// The ports on which the server listens, each with what is done with the channel of an accepted connection.
    var listeners: [(handle: ListenerHandle, onAccept: @Sendable (ChannelID) -> Void)] = []
    /// Functions that stop listening on this machine for connections to forward.
    var localStops: [() -> Void] = []
    /// The number of connections that are being forwarded.
    nonisolated let forwardCount = Monitor(0)
    private var isPumping = false
    private var isPumpRequested = false
    /// Whether the server accepts each variable, by name, where known.
    var acceptedVariables: [String: Bool] = [:]
    /// The preludes of running commands, by channel.
    var preludes: [ChannelID: CommandPrelude] = [:]
    /// When to send keep-alive requests; nil if none are sent.
    var keepAlive: (watch: SilenceWatch, timer: Scheduled<Void>?)?
    /// The shared buffer for reads, from which each caller copies the bytes that it read.
    var readBuffer = [UInt8](repeating: 0, count: 64 * 1024)
    /// Whether opening a channel was canceled midway.
    private var isRetired = false

    /// The number of channels being opened, or nil if no more can be opened.
    var opensIfUsable: Int? {
        failure == nil && !isRetired && !wire.isEnded ? pendingOpens : nil
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    nonisolated var forwarder: (any ConnectionForwarder)? { self }

    /// Takes ownership of a connected channel that has not started reading.
    init(
        name: String,
        channel: any Channel,
        proxy: ProxyCommand?,
        executor: LoopExecutor,
        observer: @escaping ConnectionObserver,
        answerTimeout: Duration
    ) throws(VTError) {
        self.name = name
        self.observer = observer
        self.answerTimeout = answerTimeout
        self.channel = channel
        self.proxy = proxy
        self.executor = executor
        eventLoop = channel.eventLoop
        session = try SessionHandle(wire: wire)
    }

    /// Runs on the event loop, because it frees the session and closes the channel.
    isolated deinit {}

    /// The server's address; nil if the connection goes through a proxy command or a jump host.
    var remoteAddress: String? { channel.remoteAddress?.ipAddress }

    /// Starts exchanging bytes.
    func start() throws(VTError) {
        wire.onEvent = { [weak self] in
            self?.assumeIsolated { $0.wake() }
        }
        do {
            try channel.pipeline.syncOperations.addHandler(wire)
        } catch {
            throw VTError(.internal, "cannot use the connection to '\(name)'", causes: ["\(error)"])
        }
    }

    /// Closes the connection without waiting for the peer, and stops its proxy command.
    func close() {
        stopListening()
        stopKeepAlive()
        if failure == nil {
            _ = session.disconnect()
        }
        fail(VTError(.hostUnreachable, "the connection to '\(name)' is closed"))
        proxy?.stop()
    }

    /// Closes the connection; all waiting calls fail with this error.
    func fail(_ error: VTError) {
        wire.flush()
        drop(error)
    }

    /// Closes the connection like `fail`, but discards unflushed data.
    func drop(_ error: VTError) {
        stopKeepAlive()
        failure = failure ?? error
        wire.close()
        wake()
    }

    /// Marks the connection as unable to open further channels; open channels continue.
    func retire() {
        isRetired = true
    }

    // MARK: - Calls

    /// Repeats a call until it succeeds or fails.
    func perform<Result>(
        _ body: (borrowing SessionHandle) throws(SSHFailure) -> Result?
    ) async throws(SSHFailure) -> Result {
        while true {
            if let result = try attempt(body) { return result }
            try await progress()
        }
    }

    /// Repeats a call with a numeric result until it succeeds or fails.
    @discardableResult
    func perform(
        _ call: StaticString,
        _ body: (borrowing SessionHandle) -> Int
    ) async throws(SSHFailure) -> Int {
        try await perform { session throws(SSHFailure) in try session.checked(call, body(session)) }
    }

    /// Makes a call once; returns nil if it would block.
    func attempt<Result>(
        isMoreComing: Bool = false,
        _ body: (borrowing SessionHandle) throws(SSHFailure) -> Result?
    ) throws(SSHFailure) -> Result? {
        if let failure { throw .stopped(failure) }
        defer { afterCall(isMoreComing: isMoreComing) }
        return try body(session)
    }

    /// Makes a call with a numeric result once; returns nil if it would block.
    func attempt(
        _ call: StaticString,
        isMoreComing: Bool = false,
        _ body: (borrowing SessionHandle) -> Int
    ) throws(SSHFailure) -> Int? {
        try attempt(isMoreComing: isMoreComing) { session throws(SSHFailure) in
            try session.checked(call, body(session))
        }
    }

    /// Flushes after a call, and wakes other tasks if the call received bytes that might be for them, or a corrupted
    /// packet, which ends the connection.
    ///
    /// With `isMoreComing`, the caller must flush after its last call and before waiting.
    func afterCall(isMoreComing: Bool = false) {
        if failure == nil, let error = corruptionError { return drop(error) }
        wire.flush(isMoreComing: isMoreComing)
        guard wire.hasConsumed else { return }
        wire.hasConsumed = false
        wake()
    }

    /// Suspends until there are new bytes, there is room to send, or the connection has ended.
    func progress() async throws(SSHFailure) {
        if let failure { throw .stopped(failure) }
        if wire.isDrained { throw .stopped(linkLoss()) }
        if Task.isCancelled { throw .stopped(.cancelled) }
        await events.waitForUpdate()
        if Task.isCancelled { throw .stopped(.cancelled) }
    }

    /// Wakes all waiting tasks.
    func wake() {
        events.update { _ in }
        pumpTunnels()
    }

    /// Lets all tunnels transfer data, and frees closed channels.
    ///
    /// The calls can wake tasks and tunnels again, so a nested call only requests another round.
    private func pumpTunnels() {
        isPumpRequested = true
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while isPumpRequested {
            isPumpRequested = false
            acceptConnections()
            for tunnel in tunnels.values { tunnel.pump(on: self) }
            let closing = closing
            self.closing = []
            for handle in closing { free(handle) }
        }
    }

    /// The error for a lost connection.
    func linkLoss() -> VTError {
        if let error = receiveLimitError ?? corruptionError { return error }
        let causes = wire.failure.map { [$0] } ?? []
        return .connectionLost(to: name, causes: causes)
    }

    /// The error for a server that has sent more than the limit before login; nil if it has not.
    var receiveLimitError: VTError? {
        guard wire.hasReceivedTooMuch || wire.memory.isExhausted else { return nil }
        return VTError(.protocolViolation, "'\(name)' sent too much data before authentication")
    }

    /// The error for a packet that was corrupted on the way; nil if there was none.
    ///
    /// What libssh2 does with the packets after it is not defined, so the connection ends.
    var corruptionError: VTError? {
        guard wire.memory.hasFailed else { return nil }
        return VTError(.hostUnreachable, "lost the connection to '\(name)': a packet was corrupted")
    }

    /// Starts a timer that closes the connection unless it is canceled in time.
    ///
    /// Keep-alives do not detect a server that answers nothing else.
    func limitAnswer() -> Scheduled<Void> {
        let error = VTError(
            .hostUnreachable,
            "'\(name)' did not start a session within \(answerTimeout.shortText)",
            hint: ConnectionLimits.hint
        )
        return eventLoop.scheduleTask(in: TimeAmount(answerTimeout)) { [weak self] in
            self?.assumeIsolated { $0.drop(error) }
        }
    }

    // MARK: - Turns and channels

    /// Runs operations that keep state in the session, one at a time.
    func inTurn<Result, Failure: Error>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        pendingOpens += 1
        defer { pendingOpens -= 1 }
        return try await turn.withLock(body)
    }

    /// Runs operations that wait for replies to channel requests, one at a time.
    ///
    /// With `isAlone`, no channel is opened in the meantime.
    func inRequestTurn<Result, Failure: Error>(
        isAlone: Bool,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard isAlone else { return try await requestTurn.withLock(body) }
        return try await inTurn { () async throws(Failure) in try await requestTurn.withLock(body) }
    }

    /// Registers a channel until `forget`.
    func adopt(_ handle: ChannelHandle) -> ChannelID {
        nextChannel += 1
        let id = ChannelID(number: nextChannel)
        channels[id] = handle
        return id
    }

    /// Returns the open channel with this ID.
    ///
    /// - Throws: `SSHFailure` when the channel is no longer registered.
    func channel(_ id: ChannelID) throws(SSHFailure) -> ChannelHandle {
        guard let handle = channels[id] else { throw .stopped(.cancelled) }
        return handle
    }

    /// Closes a channel without blocking.
    func forget(_ id: ChannelID) {
        preludes.removeValue(forKey: id)
        guard let handle = channels.removeValue(forKey: id) else { return }
        free(handle)
    }

    /// Closes a channel, and frees it once the server has closed it, too.
    ///
    /// After a failure, the channel is freed with the session.
    private func free(_ handle: ChannelHandle) {
        guard failure == nil else { return }
        do throws(SSHFailure) {
            if try attempt("channel_free", { _ in handle.free() }) == nil { closing.append(handle) }
        } catch {
            return
        }
    }

    /// The number of channels that the server has not closed yet.
    var channelCount: Int { channels.count + closing.count }

    /// Whether this is the only registered channel, and no listener reads from the connection either.
    func isAlone(_ id: ChannelID) -> Bool {
        channels.count == 1 && channels[id] != nil && listeners.isEmpty
    }

    /// Whether the channel is registered, and the server has not closed it.
    func isOpen(_ id: ChannelID) -> Bool {
        guard failure == nil, let handle = channels[id] else { return false }
        return !handle.isAtEnd
    }

    // MARK: - Settings

    /// Acknowledges received data immediately, until `stopAcknowledgingQuickly`.
    ///
    /// Otherwise, Linux delays acknowledgments by 40 ms, and some servers wait for one before they send the next small
    /// packet (Nagle's algorithm). The option is not permanent (tcp(7), TCP_QUICKACK).
    func acknowledgeQuickly() {
        let option = ChannelOptions.socket(6, 12)
        let channel = channel
        wire.startQuickAcknowledgement {
            // Without this option, the connection is only slower.
            try? channel.syncOptions?.setOption(option, value: 1)
        }
    }

    func stopAcknowledgingQuickly() {
        wire.stopQuickAcknowledgement()
    }
}
