import Core
import POSIX
import Synchronization

/// A conversation with the holder of a session, over any channel.
///
/// Before `attach` each request waits for its answer, one at a time. After it `next` gives everything that the holder
/// says, to one task; others may `send` meanwhile. Whoever opened the connection closes it.
package final class SessionConnection: Sendable {
    /// What messages call the session.
    package let name: String
    /// What the holder said of itself.
    package let protocolNumber: UInt16
    package let features: UInt64
    package let version: String

    private let channel: any SessionChannel
    private let clock: any Clock<Duration>
    /// How long the holder may take for what it can do at once.
    private let answerLimit: Duration
    private let decoder: Mutex<SessionFrameDecoder>
    private let writing = AsyncLock()

    private init(
        name: String,
        channel: any SessionChannel,
        clock: any Clock<Duration>,
        answerLimit: Duration,
        decoder: SessionFrameDecoder,
        hello: (protocolNumber: UInt16, features: UInt64, version: String)
    ) {
        self.name = name
        self.channel = channel
        self.clock = clock
        self.answerLimit = answerLimit
        self.decoder = Mutex(decoder)
        (protocolNumber, features, version) = hello
    }

    /// Exchanges greetings with the holder, and closes the channel when that fails.
    ///
    /// A holder with another protocol is no failure here: `status` and `kill` work with every holder.
    ///
    /// `link` is how long the greeting may take over a channel through other machines; without it, its absence is the
    /// holder's fault.
    ///
    /// - Throws: `protocol` when the holder does not greet within `SessionFrame.helloTimeout`, through a link
    ///   `host.unreachable`, and what the channel throws.
    package static func open(
        _ channel: any SessionChannel,
        to name: String,
        version: String,
        clock: any Clock<Duration>,
        link timeout: Duration? = nil
    ) async throws(VTError) -> SessionConnection {
        let limit = timeout ?? SessionFrame.helloTimeout
        let late = VTError(
            timeout == nil ? .protocolViolation : .hostUnreachable,
            "the holder of '\(name)' did not answer within \(limit.shortText)",
            hint: timeout == nil ? "vt sessions kill \(name)" : nil
        )
        do throws(VTError) {
            return try await withTimeout(limit, on: clock, throwing: late) {
                () async throws(VTError) in
                try await greet(
                    channel,
                    name: name,
                    version: version,
                    clock: clock,
                    answerLimit: max(limit, busyLimit)
                )
            }
        } catch {
            await channel.close()
            throw error
        }
    }

    /// A holder may be at work on the output when it is asked, which takes less than this.
    private static let busyLimit = Duration.seconds(10)

    private static func greet(
        _ channel: any SessionChannel,
        name: String,
        version: String,
        clock: any Clock<Duration>,
        answerLimit: Duration
    ) async throws(VTError) -> SessionConnection {
        let greeting = SessionFrame.hello(
            protocolNumber: SessionFrame.protocolNumber,
            features: 0,
            version: version
        )
        try await channel.write(greeting.encoded)
        var decoder = SessionFrameDecoder()
        while let bytes = try await channel.read() {
            decoder.append(bytes)
            switch try decoder.next() {
            case .hello(let number, let features, let version):
                return SessionConnection(
                    name: name,
                    channel: channel,
                    clock: clock,
                    answerLimit: answerLimit,
                    decoder: decoder,
                    hello: (number, features, version)
                )
            case .failure(let code, let message, let hint): throw failure(code, message, hint)
            case .some: throw VTError(.protocolViolation, "the holder of '\(name)' did not send a greeting")
            case nil: continue
            }
        }
        throw lost(name)
    }

    package func close() async {
        await channel.close()
    }

    // MARK: - What every holder knows

    /// The record as the holder has it now.
    package func status() async throws(VTError) -> Session {
        guard case .record(let json) = try await promptAnswer(to: .status) else { throw unexpected }
        return try Session(json: json, path: "the status of \(name)")
    }

    /// Ends the program and all that it started; without a signal HUP and TERM, and KILL after the grace.
    ///
    /// Returns what is left, as `PID NAME`.
    package func kill(_ signal: SignalName?, grace: Duration) async throws(VTError) -> [String] {
        let frame = SessionFrame.kill(
            signal: UInt8(clamping: signal?.number ?? 0),
            graceMilliseconds: UInt32(clamping: grace.wholeMilliseconds)
        )
        guard case .killed(let survivors) = try await answer(to: frame) else { throw unexpected }
        return survivors
    }

    // MARK: - What holders of this protocol know

    package func rename(to name: SessionName) async throws(VTError) {
        try await perform(.rename(name.text))
    }

    package func resize(to size: TerminalSize) async throws(VTError) {
        try await perform(Self.frame(size))
    }

    /// Puts bytes into the terminal; returns where the output stood before, once all of them are in it.
    ///
    /// `isChecked`: a line that the terminal cannot take makes the holder refuse all of them.
    package func input(_ bytes: [UInt8], sequence: UInt64, isChecked: Bool) async throws(VTError) -> UInt64 {
        try checkProtocol()
        let frame = SessionFrame.input(sequence: sequence, isChecked: isChecked, bytes: bytes)
        guard case .accepted(sequence, let offset) = try await answer(to: frame) else { throw unexpected }
        return offset
    }

    // MARK: - Being attached

    /// What the holder answers to `attach`.
    package struct Attached: Hashable, Sendable {
        /// Where the output begins.
        package var offset: UInt64
        /// The last input that was taken from this client; 0: none.
        package var lastInput: UInt64
        /// The size of the terminal; nil where the holder does not know.
        package var size: TerminalSize?
    }

    /// Begins to receive output; `next` gives it.
    package func attach(_ attachment: SessionFrame.Attachment) async throws(VTError) -> Attached {
        try checkProtocol()
        guard
            case .attached(let offset, let last, let columns, let rows) = try await promptAnswer(
                to: .attach(attachment)
            )
        else { throw unexpected }
        return Attached(
            offset: offset,
            lastInput: last,
            size: TerminalSize(columns: Int(columns), rows: Int(rows))
        )
    }

    /// Sends a request without waiting for the answer, which `next` gives; several tasks may do so.
    package func send(_ frame: SessionFrame) async throws(VTError) {
        let (channel, bytes) = (channel, frame.encoded)
        try await writing.withLock { () async throws(VTError) in try await channel.write(bytes) }
    }

    /// Asks for another size of the terminal, without waiting.
    package func send(_ size: TerminalSize) async throws(VTError) {
        try await send(Self.frame(size))
    }

    /// Returns what the holder says next, or nil when the channel ended: after `exit` all is said, before it the link
    /// was lost.
    package func next() async throws(VTError) -> SessionEvent? {
        while let frame = try await frame() {
            switch frame {
            case .output(let offset, let bytes): return .output(offset: offset, bytes: bytes)
            case .gap(let from, let to): return .gap(from: from, to: to)
            case .screen(let offset, let bytes): return .screen(offset: offset, bytes: bytes)
            case .accepted(let sequence, let offset): return .accepted(sequence: sequence, offset: offset)
            case .exit(let status, let offset): return .exit(status, offset: offset)
            case .failure(let code, let message, let hint): return .refused(Self.failure(code, message, hint))
            case .resized(let columns, let rows):
                guard let size = TerminalSize(columns: Int(columns), rows: Int(rows)) else { continue }
                return .resized(size)
            case .hello, .status, .kill, .attach, .input, .resize, .rename, .colors, .redraw, .record, .killed,
                .attached,
                .done:
                continue
            }
        }
        return nil
    }

    // MARK: - Frames

    /// Sends a request and returns its answer.
    private func answer(to request: SessionFrame) async throws(VTError) -> SessionFrame {
        try await send(request)
        guard let frame = try await frame() else { throw Self.lost(name) }
        if case .failure(let code, let message, let hint) = frame { throw Self.failure(code, message, hint) }
        return frame
    }

    /// The same for what a holder can do at once.
    ///
    /// - Throws: also `protocol` when it does not.
    private func promptAnswer(to request: SessionFrame) async throws(VTError) -> SessionFrame {
        let late = VTError(
            .protocolViolation,
            "the holder of '\(name)' did not answer within \(answerLimit.shortText)",
            hint: "vt sessions kill \(name)"
        )
        return try await withTimeout(answerLimit, on: clock, throwing: late) { () async throws(VTError) in
            try await self.answer(to: request)
        }
    }

    private func perform(_ request: SessionFrame) async throws(VTError) {
        try checkProtocol()
        guard case .done = try await promptAnswer(to: request) else { throw unexpected }
    }

    /// The next frame, or nil at the end of the channel.
    private func frame() async throws(VTError) -> SessionFrame? {
        while true {
            let frame = try decoder.withLock { decoder throws(VTError) in try decoder.next() }
            if let frame { return frame }
            guard let bytes = try await channel.read() else { return nil }
            decoder.withLock { $0.append(bytes) }
        }
    }

    private func checkProtocol() throws(VTError) {
        guard protocolNumber != SessionFrame.protocolNumber else { return }
        throw VTError(
            .protocolViolation,
            "'\(name)' is held by vt \(version) with protocol \(protocolNumber), but this vt supports "
                + "\(SessionFrame.protocolNumber)",
            hint: "use vt \(version), or end the session: vt sessions kill \(name)"
        )
    }

    private static func frame(_ size: TerminalSize) -> SessionFrame {
        .resize(columns: UInt16(size.columns), rows: UInt16(size.rows))
    }

    private var unexpected: VTError {
        VTError(.protocolViolation, "unexpected response from the holder of '\(name)'")
    }

    private static func lost(_ name: String) -> VTError {
        VTError(.hostUnreachable, "lost the connection to '\(name)'")
    }

    /// The error that a holder told; a class that a later version added counts as `protocol`.
    private static func failure(_ code: String, _ message: String, _ hint: String) -> VTError {
        VTError(VTError.Code(rawValue: code) ?? .protocolViolation, message, hint: hint.isEmpty ? nil : hint)
    }
}
