import Core
import Runtime
import Terminal

/// A session that pages watch: one connection and one emulator, whatever the number of pages.
final class WatchedSession: Sendable {
    private struct State {
        /// Nil until the screen has arrived.
        var emulator: Emulator?
        /// The end of the output that the emulator has processed.
        var offset: UInt64 = 0
        var painted = PaintedScreen()
        /// Whether the emulator has changed since it was painted.
        var isDirty = false
        var nextPaint = ContinuousClock.now
        /// Whether the connection to the session is to be established again.
        var isLost = false
        /// How the session ended: `exit` or `failure`.
        var end: SessionFrame?
        /// The inputs that the holder has not answered, by their numbers in the outbox.
        var inputs: [UInt64: (ledger: InputLedger, sequence: UInt64)] = [:]
        /// The last input that the holder has accepted.
        var accepted: (number: UInt64, offset: UInt64) = (0, 0)
        /// Called after a change, for each page.
        var observers: [Int: @Sendable () -> Void] = [:]

        mutating func takeInputs(through number: UInt64) -> [(ledger: InputLedger, sequence: UInt64)] {
            let numbers = inputs.keys.filter { $0 <= number }
            return numbers.compactMap { inputs.removeValue(forKey: $0) }
        }
    }

    /// The time between two screens; more of them would not be seen.
    private static let paintInterval = Duration.milliseconds(33)
    private static let scrollbackBytes = 8 << 20
    /// The number of earlier rows to request when the first page arrives.
    private static let scrollbackRows = 5000

    /// The session's name in messages.
    let name: String
    let id: SessionID
    let client: SessionClient
    private let clock: any Clock<Duration>
    private let version: String
    private let outbox = AttachOutbox(size: nil, isChecked: false)
    private let token: [UInt8]
    private let state = Monitor(State())

    init(_ id: SessionID, name: String, client: SessionClient, clock: any Clock<Duration>, version: String) {
        (self.id, self.name, self.client, self.clock, self.version) = (id, name, client, clock, version)
        token = SessionFrame.Attachment.reader(from: nil).token
    }

    // MARK: - Pages

    /// Calls `observe` after each change, until the page leaves.
    func join(_ page: Int, _ observe: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers[page] = observe }
    }

    func leave(_ page: Int) {
        state.withLock { _ = $0.observers.removeValue(forKey: page) }
    }

    var isWatched: Bool { state.withLock { !$0.observers.isEmpty } }

    var hasPendingInput: Bool { outbox.pendingBytes > 0 }

    /// Whether the connection ended before the session did.
    var hasFailed: Bool { state.withLock { if case .failure = $0.end { true } else { false } } }

    /// Whether the connection to the session is to be established again.
    var isLost: Bool { state.withLock(\.isLost) }

    /// Waits until there is a screen.
    ///
    /// - Throws: The error that ended the connection, if there is no screen.
    func ready() async throws(VTError) {
        try await state.wait { state -> Result<Void, VTError>? in
            if state.emulator != nil { return .success(()) }
            if case .failure(let error) = state.end { return .failure(error) }
            return nil
        }.get()
    }

    /// Paints the current screen, unless it is too early; returns how long to wait in that case.
    func paint() -> Duration? {
        state.withLock { state in
            guard state.isDirty, let emulator = state.emulator else { return nil }
            let now = ContinuousClock.now
            guard now >= state.nextPaint else { return state.nextPaint - now }
            state.painted.show(emulator, at: state.offset)
            state.isDirty = false
            state.nextPaint = now + Self.paintInterval
            return nil
        }
    }

    /// The screen as it was last painted.
    var painted: PaintedScreen { state.withLock(\.painted) }

    /// How the session ended, once everything before that has been painted.
    var end: SessionFrame? { state.withLock { $0.isDirty ? nil : $0.end } }

    /// The rows above the screen, oldest first; row 1 is directly above it.
    func history(first: Int, count: Int) -> (rows: [ScreenRow], available: Int) {
        state.withLock { state in
            guard let emulator = state.emulator else { return ([], 0) }
            let available = emulator.scrollbackCount
            guard first >= 1, first <= available else { return ([], available) }
            let rows = emulator.screen(scrollback: first - 1 + count).scrollback
            return (Array(rows.dropLast(first - 1).suffix(count)), available)
        }
    }

    // MARK: - Input

    /// What a page sends to the program.
    enum Input: Sendable {
        case bytes([UInt8])
        case key(String)
        case paste([UInt8])
    }

    /// Sends input to the program; the ledger receives the answer.
    func send(_ input: Input, as sequence: UInt64, of ledger: InputLedger) {
        do throws(VTError) {
            let bytes = try bytes(of: input)
            guard !bytes.isEmpty else {
                return ledger.answer(sequence, with: .accepted(sequence: sequence, offset: 0))
            }
            guard let number = outbox.addIfRoom(bytes[...]) else {
                throw VTError(.busy, "'\(name)' does not read its input")
            }
            let offset = try state.withLock { state throws(VTError) -> UInt64? in
                if state.end != nil { throw ended }
                if number <= state.accepted.number { return state.accepted.offset }
                state.inputs[number] = (ledger, sequence)
                return nil
            }
            if let offset { ledger.answer(sequence, with: .accepted(sequence: sequence, offset: offset)) }
        } catch {
            ledger.answer(sequence, with: .failure(error))
        }
    }

    /// Keys and pastes are encoded for the modes that the program has set.
    func bytes(of input: Input) throws(VTError) -> [UInt8] {
        switch input {
        case .bytes(let bytes): return bytes
        case .key(let name):
            guard let encoder = state.withLock({ $0.emulator.map { KeyEncoder($0) } }) else { return [] }
            return try encoder.bytes(of: Key(parsing: name))
        case .paste(let text):
            return state.withLock { $0.emulator.map { PasteEncoder.bytes(of: text, for: $0) } } ?? []
        }
    }

    private var ended: VTError { VTError(.ended, "'\(name)' has ended") }

    /// Gives the session a size, which another client can change, and which is given up when no page watches it.
    func resize(to size: TerminalSize) {
        outbox.resize(size)
    }

    // MARK: - The session

    /// Follows the session until it has ended, or the task is canceled; reconnects to a server without end.
    func follow() async {
        let reconnection = Reconnection(.endless, to: name, on: clock)
        do throws(VTError) {
            try await loadScreen()
            reconnection.connected()
            try await reconnection.run { () async throws(VTError) in
                defer { outbox.disconnect() }
                guard try await client.machine.withHolder(of: id.text, converse) == nil else { return }
                throw .connectionLost(to: name)
            } announce: { _, _ in
                setLost(true)
            }
        } catch {
            end(with: .failure(error))
        }
    }

    private func setLost(_ isLost: Bool) {
        let isNew = state.withLock { state in
            defer { state.isLost = isLost }
            return state.isLost != isLost
        }
        if isNew { notify() }
    }

    private func loadScreen() async throws(VTError) {
        let screen = try await client.call(ScreenRequest(scrollback: Self.scrollbackRows), on: id.text)
        change { state in
            state.emulator = Emulator(size: screen.size, scrollbackBytes: Self.scrollbackBytes)
            state.emulator?.feed(screen.state)
            state.offset = screen.offset
        }
    }

    /// Returns how the session ended, or nil if the connection was lost.
    @Sendable private func converse(over channel: any SessionChannel) async throws(VTError) -> ExitStatus? {
        let connection = try await SessionConnection.open(
            channel,
            to: name,
            version: version,
            clock: clock,
            link: client.machine.greetingTimeout
        )
        let position = state.withLock(\.offset)
        _ = try await connection.attach(
            SessionFrame.Attachment(from: position, isReadOnly: false, size: nil, token: token)
        )
        outbox.connect(connection.features)
        setLost(false)
        return try await withWatch({ () async throws(VTError) in
            while true { try await connection.send(try await self.outbox.next()) }
        }) { () async throws(VTError) in
            try await self.listen(connection)
        }
    }

    private func listen(_ connection: SessionConnection) async throws(VTError) -> ExitStatus? {
        var refusal: VTError?
        while let frame = try await connection.next() {
            switch frame {
            case .output(let offset, let bytes): feed(bytes, at: offset)
            case .screen(let offset, let bytes): replaceScreen(bytes, at: offset)
            case .gap(_, let to):
                state.withLock { $0.offset = to }
                outbox.redraw()
            case .resized(let size): change { $0.emulator?.resize(to: size) }
            case .accepted(let number, let offset, _): accept(number, at: offset)
            // The answer to a resize.
            case .done: change { state in outbox.size.map { state.emulator?.resize(to: $0) } }
            case .failure(let error): refusal = error
            case .exit(let status, let offset):
                end(with: .exit(status, offset: offset))
                return status
            default: continue
            }
        }
        if let refusal { throw refusal }
        return nil
    }

    private func feed(_ bytes: [UInt8], at offset: UInt64) {
        change { state in
            state.emulator?.feed(bytes.new(at: offset, after: state.offset).span)
            // A browser neither answers queries nor sets the clipboard.
            _ = state.emulator?.takeAnswers()
            _ = state.emulator?.takeClipboard()
            state.offset = max(state.offset, offset + UInt64(bytes.count))
        }
    }

    private func replaceScreen(_ bytes: [UInt8], at offset: UInt64) {
        change { state in
            let size = state.emulator?.size ?? .standard
            state.emulator = Emulator(size: size, scrollbackBytes: Self.scrollbackBytes)
            state.emulator?.feed(bytes)
            state.offset = offset
        }
    }

    private func accept(_ number: UInt64, at offset: UInt64) {
        outbox.accepted(number)
        let inputs = state.withLock { state in
            state.accepted = (number, offset)
            return state.takeInputs(through: number)
        }
        for input in inputs {
            input.ledger.answer(input.sequence, with: .accepted(sequence: input.sequence, offset: offset))
        }
        notify()
    }

    private func end(with frame: SessionFrame) {
        let inputs = state.update { state in
            state.end = frame
            return state.takeInputs(through: .max)
        }
        for input in inputs { input.ledger.answer(input.sequence, with: .failure(ended)) }
        notify()
    }

    /// Changes the emulator, and notifies the pages unless they have not painted the previous change.
    private func change(_ body: (inout State) -> Void) {
        let (wasDirty, wasReady) = state.withLock { state in
            defer { state.isDirty = true }
            let was = (state.isDirty, state.emulator != nil)
            body(&state)
            return was
        }
        if !wasReady { state.update { _ in } }
        if !wasDirty { notify() }
    }

    private func notify() {
        for observe in state.withLock({ Array($0.observers.values) }) { observe() }
    }
}
