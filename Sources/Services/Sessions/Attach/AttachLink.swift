import Core
import Runtime
import Synchronization
import Terminal

/// Maintains the connection between a client and a session's holder, and shows the output received.
final class AttachLink: Sendable {
    /// The state that is kept across reconnections.
    private struct Progress: Sendable {
        /// The session to request: the name that was typed or, once it is known, the session's ID.
        var session: String
        /// The offset of the next byte to request; nil for a screen.
        var position: UInt64?
        /// Whether the client attached at an offset.
        var hasResumed = false
        /// Whether a holder has answered before.
        var hasAttached = false
        /// The error that a server reports for a session that had ended without an exit status when the client
        /// attached, with the session's name as it is here; nil for other sessions.
        var unknownEnd: VTError?
        /// The size of the session's terminal when the client attached; nil if unknown.
        var size: TerminalSize?
        /// The position when the holder last closed the connection.
        var positionLeft: UInt64?
    }

    /// How long output must pause before the question is shown again.
    private static let questionPause = Duration.milliseconds(200)
    /// The amount of missed output above which a reconnected client with a screen shows a new screen instead.
    static let lagLimitBytes: UInt64 = 8 << 20

    let request: AttachRequest
    let terminal: any AttachTerminal
    let display: AttachDisplay
    let outbox: AttachOutbox
    let keyboard: AttachKeyboard
    let clock: any Clock<Duration>
    /// Whether the session is resized to the size of the terminal.
    let controlsSize: Bool
    private let machine: any SessionMachine
    private let version: String
    /// The session's name in messages.
    private let name: String
    /// Identifies the client to the holder.
    private let token = SessionFrame.randomToken
    private let reconnection: Reconnection
    private let progress: Mutex<Progress>
    /// The open question, and how often output may have covered it.
    private let question = Monitor<(open: Question?, coverings: Int)>((nil, 0))

    init(
        to session: String,
        _ request: AttachRequest,
        terminal: any AttachTerminal,
        machine: any SessionMachine,
        clock: any Clock<Duration>,
        version: String
    ) {
        (self.request, self.terminal, self.machine) = (request, terminal, machine)
        (self.clock, self.version) = (clock, version)
        controlsSize = !request.isReadOnly && request.resizes && terminal.hasScreen
        outbox = AttachOutbox(size: controlsSize ? terminal.size : nil, isChecked: !terminal.hasKeyboard)
        display = AttachDisplay(terminal)
        keyboard = AttachKeyboard(detachKey: terminal.hasKeyboard ? request.detachKey : nil)
        name = machine.name(of: session)
        let hint = "to attach again, use 'vt attach \(name)'"
        reconnection = Reconnection(request.reconnects, to: name, hint: hint, on: clock)
        progress = Mutex(Progress(session: session))
    }

    /// Returns how the session ended; reconnects after a lost connection.
    ///
    /// A holder whose session has ended does not wait long for a slow client. If it has closed the connection, the next
    /// one reads the rest of the output from the log.
    func follow() async throws(VTError) -> ExitStatus {
        try await reconnection.run { () async throws(VTError) in
            do throws(VTError) {
                while true {
                    let session = progress.withLock { $0.session }
                    let status = try await machine.withHolder(of: session) { channel async throws(VTError) in
                        try await self.converse(over: channel)
                    }
                    if let status { return status }
                    guard hasProgressed() else { throw .connectionLost(to: name) }
                    outbox.disconnect()
                }
            } catch {
                outbox.disconnect()
                let isRemoved = error.code == .notFound && progress.withLock { $0.positionLeft != nil }
                throw isRemoved ? removed : error
            }
        } announce: { failure, delay async throws(VTError) in
            try await display.showStatus(status(failure, delay))
        }
    }

    private var removed: VTError {
        VTError(.notFound, "'\(name)' has been removed, and the rest of its output with it")
    }

    /// Whether anything was received since the holder last closed a connection.
    private func hasProgressed() -> Bool {
        progress.withLock { progress in
            defer { progress.positionLeft = progress.position }
            return progress.position != progress.positionLeft
        }
    }

    // MARK: - Reconnecting

    private func status(_ failure: VTError, _ delay: Duration) -> String {
        let attempt = reconnection.attempts
        let key = terminal.hasKeyboard && request.detaches ? request.detachKey : nil
        let detach = key.map { " (\($0.text) to detach)" } ?? ""
        if attempt == 1 { return "lost the connection to '\(name)', reconnecting\(detach)" }
        let limit = request.reconnects.attempts
        let count = limit == .max ? "" : " (\(attempt) of \(limit))"
        return "\(failure.message); next attempt in \(delay.components.seconds)s\(count)\(detach)"
    }

    // MARK: - One connection

    /// Returns how the session ended, or nil if the channel ended before that was known.
    private func converse(over channel: any SessionChannel) async throws(VTError) -> ExitStatus? {
        let connection = try await SessionConnection.open(
            channel,
            to: name,
            version: version,
            clock: clock,
            link: machine.greetingTimeout
        )
        try await begin(connection)
        return try await withWatch({ () async throws(VTError) in try await self.speak(connection) }) {
            () async throws(VTError) in
            try await self.listen(connection)
        }
    }

    /// Attaches at the position reached so far, and then starts sending input.
    private func begin(_ connection: SessionConnection) async throws(VTError) {
        display.removesQueries(connection.features & SessionFrame.Feature.answersQueries != 0)
        let position = try await position(toAttachOver: connection)
        let attached = try await connection.attach(
            SessionFrame.Attachment(
                from: position,
                isReadOnly: request.isReadOnly,
                size: outbox.sizeToAttach(),
                token: token
            )
        )
        let hasReconnected = reconnection.attempts > 0
        reconnection.connected()
        reconnection.succeeded()
        progress.withLock { progress in
            progress.hasAttached = true
            progress.hasResumed = position != nil
            progress.size = attached.size
        }
        if let size = attached.size { outbox.resized(size) }
        outbox.connect(connection.features)
        if hasReconnected {
            try await display.clearStatus()
            if !terminal.hasScreen { terminal.note("reconnected to '\(name)'") }
        }
    }

    /// Returns the offset of the first output to request; nil for a screen and the output after it.
    private func position(toAttachOver connection: SessionConnection) async throws(VTError) -> UInt64? {
        let (hasAttached, reached) = progress.withLock { ($0.hasAttached, $0.position) }
        guard !hasAttached else {
            guard terminal.hasScreen, let reached else { return reached }
            // A new screen takes less time than the output of several hours.
            let end = try await connection.status().outputBytes
            return end > reached && end - reached > Self.lagLimitBytes ? nil : reached
        }
        try await askTerminal(connection.features)
        let record = try await connection.status()
        var position = reached
        // Without a screen, output is requested from the current end; nothing follows the end of an ended session, of
        // which the final screen is shown.
        if !terminal.hasScreen { position = record.state.isLive ? record.outputBytes : nil }
        if request.showsAllOutput {
            try await display.writeScreen(Array("\u{1B}[H\u{1B}[2J".utf8))
            position = 0
        }
        progress.withLock { progress in
            progress.session = record.id.text
            let hasUnknownEnd = !record.state.isLive && record.exit == nil
            progress.unknownEnd = hasUnknownEnd ? record.unknownEnd(as: name) : nil
            progress.position = position
        }
        return position
    }

    /// Queries the terminal's colors, before the session can change them; the colors are sent to the holder when they
    /// arrive.
    private func askTerminal(_ features: UInt64) async throws(VTError) {
        guard features & SessionFrame.Feature.takesColors != 0, terminal.answersQueries, !request.isReadOnly else {
            return
        }
        try await display.sendQueries(keyboard.startQueries())
    }

    private func speak(_ connection: SessionConnection) async throws(VTError) {
        do throws(VTError) {
            while true { try await connection.send(try await outbox.next()) }
        } catch {
            // If the holder has exited, it has first sent the reason, which `listen` receives.
            guard !error.isCancellation else { throw error }
        }
    }

    private func listen(_ connection: SessionConnection) async throws(VTError) -> ExitStatus? {
        var refusal: VTError?
        while let frame = try await connection.next() {
            switch frame {
            case .output(let offset, let bytes): try await show(bytes, at: offset)
            case .screen(let offset, let bytes):
                try await show(screen: bytes)
                progress.withLock { $0.position = offset }
            case .gap(let from, let to): try await skip(from, to)
            case .accepted(let sequence, _, _): outbox.accepted(sequence)
            case .resized(let size): outbox.resized(size)
            case .record(let session): show(session.openQuestion)
            // The input contains a line that is too long for the terminal, or is that of a command and a question is open.
            case .failure(let error) where error.code == .dataInvalid || error.code == .busy: throw error
            // If nothing follows, this is the reason why the holder closed the connection.
            case .failure(let error):
                refusal = error
                continue
            case .note(let text, isDetail: false): terminal.note(text)
            case .exit(let status, _): return status
            default: continue
            }
            refusal = nil
        }
        guard let refusal else { return nil }
        throw refusal.code.isNegative ? progress.withLock { $0.unknownEnd } ?? refusal : refusal
    }

    /// Shows the bytes that have not been shown yet.
    private func show(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) {
        let position = progress.withLock { $0.position } ?? offset
        if offset > position { try await skip(position, offset) }
        try await display.write(bytes.new(at: offset, after: position))
        if terminal.hasScreen, question.withLock({ $0.open != nil }) { question.update { $0.coverings += 1 } }
        progress.withLock { $0.position = max(position, offset + UInt64(bytes.count)) }
    }

    /// Shows a screen or, if there is none to show it on, writes its text.
    private func show(screen bytes: [UInt8]) async throws(VTError) {
        guard !terminal.hasScreen else { return try await display.writeScreen(bytes, notice: questionText) }
        var emulator = Emulator(size: progress.withLock { $0.size } ?? .standard)
        emulator.feed(bytes)
        try await display.write(Array(TextRenderer.render(emulator.screen()).utf8)[...])
    }

    private func skip(_ from: UInt64, _ to: UInt64) async throws(VTError) {
        progress.withLock { $0.position = to }
        guard terminal.hasScreen else {
            return terminal.note("output from offset \(from) to \(to) is not in the log")
        }
        // Only a client that attached without an offset receives a new screen unasked.
        if progress.withLock({ $0.hasResumed }) { outbox.redraw() }
    }

    // MARK: - The question of `vt sessions ask`

    /// Shows a question, or that none is open any more.
    private func show(_ open: Question?) {
        guard question.withLock({ $0.open != open }) else { return }
        question.withLock { $0.open = open }
        if terminal.hasScreen { outbox.redraw() } else if let open { terminal.note("question: \(open.message)") }
    }

    private var questionText: String? {
        let key = terminal.hasKeyboard && !request.isReadOnly ? request.detachKey?.text : nil
        let keys = key.map { "(\($0) y: done, \($0) n: refuse) " } ?? ""
        return question.withLock(\.open).map { keys + $0.message }
    }

    /// Shows the question again after output that may have covered or moved it.
    func keepQuestion() async throws(VTError) {
        var seen = 0
        while true {
            seen = try await question.wait { $0.coverings == seen ? nil : $0.coverings }
            try await clock.pause(for: Self.questionPause)
            if question.withLock({ $0.coverings == seen }) { outbox.redraw() }
        }
    }

    /// Answers the question that is shown, if there is one.
    func answer(_ action: QuestionRequest.Action) {
        if let open = question.withLock(\.open) { outbox.answer(QuestionRequest(action, open.message)) }
    }
}
