import Core
import Runtime
import Synchronization

/// A client's connection to the holder of a session, over any channel.
///
/// Before `attach`, requests are answered one at a time. Afterwards, `next` returns everything that the holder sends;
/// only one task may call it, while others may call `send`. The caller of `open` must close the connection.
package final class SessionConnection: Sendable {
    /// The session's name in messages.
    package let name: String
    /// The protocol number in the holder's `hello`.
    package let protocolNumber: UInt16
    package let features: UInt64
    package let version: String

    private let channel: any SessionChannel
    private let clock: any Clock<Duration>
    /// How long the holder may take to answer a request that needs no work.
    private let answerLimit: Duration
    /// Whether the holder is reached over a network, where a missing answer need not be its fault.
    private let isRemote: Bool
    private let decoder: Mutex<SessionFrameDecoder>
    private let writing = AsyncLock()
    /// The number of reads from the channel so far, and whether the latest one is still waiting.
    private let reads = Mutex((count: 0, isWaiting: false))

    private typealias Hello = (protocolNumber: UInt16, features: UInt64, version: String)

    private init(
        _ channel: any SessionChannel,
        to name: String,
        clock: any Clock<Duration>,
        answerLimit: Duration,
        isRemote: Bool,
        _ greeting: (hello: Hello, decoder: SessionFrameDecoder)
    ) {
        (self.name, self.channel, self.clock) = (name, channel, clock)
        (self.answerLimit, self.isRemote) = (answerLimit, isRemote)
        (protocolNumber, features, version) = greeting.hello
        decoder = Mutex(greeting.decoder)
    }

    /// Exchanges `hello` with the holder, and closes the channel on failure.
    ///
    /// A different protocol number is not an error here: `status` and `kill` work with every holder.
    ///
    /// `link` is the timeout for `hello` over a network, where a missing `hello` need not be the holder's fault; nil
    /// means a local channel.
    ///
    /// - Throws: `protocol` when a local holder does not send `hello` within `SessionFrame.helloTimeout` or, while it
    ///   is busy, `HolderLimits.busy`; `host.unreachable` when `hello` does not arrive in time over a network; errors
    ///   from the channel.
    package static func open(
        _ channel: any SessionChannel,
        to name: String,
        version: String,
        clock: any Clock<Duration>,
        link timeout: Duration? = nil
    ) async throws(VTError) -> SessionConnection {
        let limit = timeout ?? SessionFrame.helloTimeout
        let late = Self.late(name, limit, isRemote: timeout != nil)
        do throws(VTError) {
            let greeting = try await withTimeout(
                limit,
                on: clock,
                throwing: late,
                upTo: HolderLimits.busy,
                while: { channel.isPeerBusy }
            ) { () async throws(VTError) in
                try await greet(channel, name: name, version: version)
            }
            return SessionConnection(
                channel,
                to: name,
                clock: clock,
                answerLimit: max(limit, busyLimit),
                isRemote: timeout != nil,
                greeting
            )
        } catch {
            await channel.close()
            throw error
        }
    }

    /// How long a holder that is processing output may take to answer.
    private static let busyLimit = Duration.seconds(10)

    private static func greet(
        _ channel: any SessionChannel,
        name: String,
        version: String
    ) async throws(VTError) -> (hello: Hello, decoder: SessionFrameDecoder) {
        let hello = SessionFrame.hello(protocolNumber: SessionFrame.protocolNumber, features: 0, version: version)
        try await channel.write(hello.encoded)
        var decoder = SessionFrameDecoder()
        while let bytes = try await channel.read() {
            decoder.append(bytes)
            switch try decoder.next() {
            case .hello(let number, let features, let version): return ((number, features, version), decoder)
            case .failure(let error): throw error
            case .some: throw VTError(.protocolViolation, "the holder of '\(name)' did not send a greeting")
            case nil: continue
            }
        }
        throw .connectionLost(to: name)
    }

    package func close() async {
        await channel.close()
    }

    // MARK: - Requests for every holder

    /// The holder's current record.
    package func status() async throws(VTError) -> Session {
        guard case .record(let session) = try await promptAnswer(to: .status) else { throw unexpected }
        return session
    }

    /// Sends a signal to the program and all its descendants or, if `signal` is nil, terminates them with HUP and TERM,
    /// and with KILL after the grace period.
    ///
    /// Returns the surviving processes, as `PID NAME`; none if only a signal was sent.
    ///
    /// - Throws: In addition, `protocol` when a local holder takes longer than it could need to kill the processes.
    package func kill(_ signal: SignalName?, grace: Duration) async throws(VTError) -> [String] {
        let frame = SessionFrame.kill(
            signal: UInt8(clamping: signal?.number ?? 0),
            graceMilliseconds: UInt32(clamping: grace.wholeMilliseconds)
        )
        // The holder may need the grace period twice, once to terminate the processes and once to kill them.
        let answer = try await whileHolderWorks(within: grace * 2 + Self.busyLimit) { () async throws(VTError) in
            try await self.answer(to: frame)
        }
        guard case .killed(let survivors) = answer else { throw unexpected }
        return survivors
    }

    // MARK: - Requests for holders with this protocol

    package func rename(to name: SessionName) async throws(VTError) {
        try await perform(.rename(name.text))
    }

    package func resize(to size: TerminalSize) async throws(VTError) {
        try await perform(.resize(size))
    }

    /// Writes bytes to the terminal; once all are written, returns where.
    ///
    /// With `isChecked`, the holder rejects all bytes if a line is too long for the terminal.
    package func input(_ bytes: [UInt8], sequence: UInt64, isChecked: Bool) async throws(VTError) -> (
        offset: UInt64?, isHidden: Bool
    ) {
        try checkProtocol()
        let frame = SessionFrame.input(sequence: sequence, isChecked: isChecked, bytes: bytes)
        guard case .accepted(sequence, let offset, let isHidden) = try await answer(to: frame) else { throw unexpected }
        return (offset, isHidden)
    }

    /// The last input from a command; a holder that does not report it reports only its offset.
    func sentInput() async throws(VTError) -> SentInput {
        guard features & SessionFrame.Feature.reportsSentInput != 0 else { return SentInput(of: try await status()) }
        guard case .sent(let input) = try await promptAnswer(to: .sentInput) else { throw unexpected }
        return input
    }

    /// Adds a marker to the timeline; returns the end of the output before it.
    package func mark(_ label: MarkerLabel) async throws(VTError) -> UInt64 {
        try check(SessionFrame.Feature.takesMarkers, "does not support markers")
        let answer = try await promptAnswer(to: .marker(label.text))
        guard case .accepted(_, let offset, _) = answer else { throw unexpected }
        return offset
    }

    /// Writes bytes, all in one frame, to the terminal, unless the holder has already received the request with this ID.
    func input(_ bytes: [UInt8], as request: String) async throws(VTError) -> (offset: UInt64?, isHidden: Bool) {
        try await identify(Array(request.utf8.prefix(SessionFrame.tokenBytes)))
        return try await input(bytes, sequence: 1, isChecked: true)
    }

    /// Gives the next input or line an ID, by which the holder performs it only once.
    func identify(_ id: [UInt8]) async throws(VTError) {
        try check(SessionFrame.Feature.identifiesRequests, "cannot receive input from a queue")
        try await send(.identify(id))
    }

    /// Asks the person at the session, or answers or awaits a question.
    package func ask(_ request: QuestionRequest) async throws(VTError) {
        try check(SessionFrame.Feature.asks, "cannot ask questions")
        guard case .done = try await answer(to: .ask(request)) else { throw unexpected }
    }

    /// Freezes, pauses or resumes the session; returns the processes that are still running, as `PID NAME`.
    package func suspend(_ suspension: Suspension) async throws(VTError) -> [String] {
        try check(SessionFrame.Feature.suspends, "cannot freeze or pause sessions")
        let answer = try await whileHolderWorks(within: Suspension.limit) { () async throws(VTError) in
            try await self.answer(to: .suspend(suspension))
        }
        guard case .killed(let survivors) = answer else { throw unexpected }
        return survivors
    }

    /// - Throws: `protocol` unless the holder has the feature; `lack` is what its version does not do.
    func check(_ feature: UInt64, _ lack: String) throws(VTError) {
        guard features & feature == 0 else { return }
        throw VTError(
            .protocolViolation,
            "'\(name)' was created by vt \(version), which \(lack)",
            hint: "create the session again"
        )
    }

    // MARK: - Attaching

    /// The holder's answer to `attach`.
    package struct Attached: Hashable, Sendable {
        /// The offset where output starts.
        package var offset: UInt64
        /// The sequence number of the last input received from this client; 0 for none.
        package var lastInput: UInt64
        /// The size of the terminal; nil if the holder does not report it.
        package var size: TerminalSize?
    }

    /// Starts receiving output, which `next` returns.
    package func attach(_ attachment: SessionFrame.Attachment) async throws(VTError) -> Attached {
        try checkProtocol()
        guard case .attached(let offset, let last, let size) = try await promptAnswer(to: .attach(attachment)) else {
            throw unexpected
        }
        return Attached(offset: offset, lastInput: last, size: size)
    }

    /// Sends a request without waiting for the answer, which `next` returns; may be called by several tasks.
    package func send(_ frame: SessionFrame) async throws(VTError) {
        let (channel, bytes) = (channel, frame.encoded)
        try await writing.withLock { () async throws(VTError) in try await channel.write(bytes) }
    }

    /// Returns the next frame from the holder, or nil at the end of the channel; a failure is the answer to a request.
    ///
    /// The output is complete if the last frame was `exit`; if it was not, the connection was lost.
    package func next() async throws(VTError) -> SessionFrame? {
        while true {
            let frame = try decoder.withLock { decoder throws(VTError) in try decoder.next() }
            if let frame { return frame }
            guard let bytes = try await read() else { return nil }
            decoder.withLock { $0.append(bytes) }
        }
    }

    /// Returns the next frame from the holder, which must not be the last one.
    ///
    /// - Throws: The error that the frame reports; `host.unreachable` at the end of the channel.
    func nextAnswer() async throws(VTError) -> SessionFrame {
        guard let frame = try await next() else { throw .connectionLost(to: name) }
        if case .failure(let error) = frame { throw error }
        return frame
    }

    /// Watches the holder while another task waits in `next`; returns when the channel is lost, which `next` reports.
    ///
    /// Nothing is sent while frames arrive, or while no task waits for one.
    ///
    /// - Throws: `protocol` when the holder sends nothing for `limits.silence` and then does not answer within
    ///   `limits.answer` or, while it is busy, `HolderLimits.busy`.
    func watch(_ limits: HolderLimits) async throws(VTError) {
        while true {
            let read = pendingRead
            try await clock.pause(for: limits.silence)
            guard let read, read == pendingRead else { continue }
            do throws(VTError) {
                try await send(.status)
            } catch {
                guard !error.isCancellation else { throw error }
                return
            }
            var waited = Duration.zero
            repeat {
                try await clock.pause(for: limits.answer)
                waited += limits.answer
            } while read == pendingRead && waited < HolderLimits.busy && channel.isPeerBusy
            guard read != pendingRead else { throw Self.late(name, waited, isRemote: isRemote) }
        }
    }

    /// Like `watch`, but without another task: also reads and discards the frames from the holder.
    func watchUnattached(_ limits: HolderLimits) async throws(VTError) {
        do throws(VTError) {
            try await withWatch({ () async throws(VTError) in try await self.watch(limits) }) {
                () async throws(VTError) in
                while try await self.next() != nil {}
            }
        } catch {
            guard error.code == .hostUnreachable else { throw error }
        }
    }

    /// The number of the pending read, or nil if no read is pending.
    private var pendingRead: Int? {
        reads.withLock { $0.isWaiting ? $0.count : nil }
    }

    // MARK: - Frames

    /// Sends a request and returns its answer.
    private func answer(to request: SessionFrame) async throws(VTError) -> SessionFrame {
        try await send(request)
        return try await nextAnswer()
    }

    /// Like `answer(to:)`, for a request that a holder can answer immediately.
    ///
    /// - Throws: In addition, `protocol` when the holder does not answer within `answerLimit`.
    private func promptAnswer(to request: SessionFrame) async throws(VTError) -> SessionFrame {
        try await whileHolderWorks(within: answerLimit) { () async throws(VTError) in
            try await self.answer(to: request)
        }
    }

    /// Runs `body` within `limit` or, while the holder is busy, `HolderLimits.busy`.
    private func whileHolderWorks<Result: Sendable>(
        within limit: Duration,
        _ body: @escaping @Sendable () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let channel = channel
        return try await withTimeout(
            limit,
            on: clock,
            throwing: Self.late(name, limit, isRemote: isRemote),
            upTo: HolderLimits.busy,
            while: { channel.isPeerBusy },
            body
        )
    }

    private static func late(_ name: String, _ limit: Duration, isRemote: Bool) -> VTError {
        VTError(
            isRemote ? .hostUnreachable : .protocolViolation,
            "the holder of '\(name)' did not answer within \(limit.shortText)",
            hint: isRemote ? nil : "to end the session, use 'vt sessions kill \(name)'"
        )
    }

    private func perform(_ request: SessionFrame) async throws(VTError) {
        try checkProtocol()
        guard case .done = try await promptAnswer(to: request) else { throw unexpected }
    }

    private func read() async throws(VTError) -> [UInt8]? {
        reads.withLock { $0 = ($0.count &+ 1, true) }
        defer { reads.withLock { $0.isWaiting = false } }
        return try await channel.read()
    }

    private func checkProtocol() throws(VTError) {
        guard protocolNumber != SessionFrame.protocolNumber else { return }
        throw VTError(
            .protocolViolation,
            "the holder of '\(name)' is vt \(version) with protocol \(protocolNumber), but this vt supports protocol "
                + "\(SessionFrame.protocolNumber)",
            hint: "use vt \(version), or end the session: vt sessions kill \(name)"
        )
    }

    private var unexpected: VTError {
        VTError(.protocolViolation, "unexpected response from the holder of '\(name)'")
    }
}
