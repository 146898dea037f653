import Core
import Runtime
import Synchronization
import System

/// Runs a line in the shell of a session, over a connection to the session's holder.
final class LineRun: Sendable {
    private let sessions: LocalSessions
    private let session: Session
    private let log: any SessionLog
    private let connection: SessionConnection
    private let request: LineExecution
    private let receiver: any OutputReceiver
    /// What is known so far.
    private let result = Mutex(LineOutcome())
    private let wasInterrupted = Mutex(false)

    private static let pieceBytes = 256 << 10
    /// How long a new session may take to show its first prompt.
    private static let startLimit = Duration.seconds(10)
    /// The keys that send SIGINT and SIGQUIT in usual terminal settings.
    private static let interruptKeys: [UInt8] = [0x03, 0x1C]
    /// How long a command may take to end after ^C, and then after ^\.
    private static let interruptLimit = Duration.seconds(3)

    init(
        _ sessions: LocalSessions,
        _ session: Session,
        _ log: any SessionLog,
        _ connection: SessionConnection,
        _ request: LineExecution,
        _ receiver: any OutputReceiver
    ) {
        (self.sessions, self.session, self.log) = (sessions, session, log)
        (self.connection, self.request, self.receiver) = (connection, request, receiver)
    }

    /// Calls `onStart` with the offset at which the output of the command starts.
    ///
    /// - Throws: `busy` when the shell cannot take the line; `negative` when the session ends before it has taken it.
    func outcome(_ onStart: @Sendable (UInt64) async throws(VTError) -> Void) async throws(VTError) -> LineOutcome {
        let start = try await begin()
        let began = ContinuousClock.now
        result.withLock { ($0.start, $0.end, $0.turn) = (start.offset, start.offset, start.turn) }
        try await onStart(start.offset)
        do throws(VTError) {
            let isLate = try await firstResult { tasks in
                tasks.add { () async throws(VTError) in
                    try await self.follow(start)
                    return false
                }
                guard let timeout = request.timeout else { return }
                tasks.add { () async throws(VTError) in
                    try await self.pass(timeout)
                    return true
                }
            }
            if isLate { result.withLock { $0.kind = .timedOut } }
        } catch {
            // Nobody is left to whom a failure could be reported.
            if error.isCancellation, request.interrupts { try? await interrupt(with: Self.interruptKeys[0]) }
            throw error
        }
        let program = session.program?.processID
        return result.withLock { outcome in
            outcome.elapsed = ContinuousClock.now - began
            if outcome.kind == .exit {
                if outcome.turn > 0 { outcome.directory = program.flatMap { WorkingDirectory.path(of: $0) } }
                if wasInterrupted.withLock({ $0 }) { outcome.kind = .interrupted }
            }
            return outcome
        }
    }

    // MARK: - Start

    /// Requests that the shell runs the line; returns the mark of its start.
    private func begin() async throws(VTError) -> ShellMark {
        try connection.check(SessionFrame.Feature.executes, "cannot run lines in shells")
        for start in stride(from: 0, to: request.input?.count ?? 0, by: Self.pieceBytes) {
            try await connection.send(.data(Array(request.input?[start...].prefix(Self.pieceBytes) ?? [])))
        }
        if request.input?.isEmpty ?? false { try await connection.send(.data([])) }
        let token = Array(request.token.utf8.prefix(SessionFrame.tokenBytes))
        if request.isIdentified { try await connection.identify(token) }
        if request.isForced { try await connection.send(.force) }
        let execution = SessionFrame.Execution(
            token: token,
            waits: request.patience != nil,
            isRepeated: request.isRepeated,
            assumedShell: request.assumedShell,
            line: request.line
        )
        try await connection.send(.execute(execution))
        let (connection, patience) = (connection, request.patience ?? Self.startLimit)
        return try await withWatch({ () async throws(VTError) in
            try await self.sessions.clock.pause(for: patience)
            try await connection.send(.withdraw)
        }) { () async throws(VTError) in
            var number: UInt64?
            while true {
                switch try await connection.nextAnswer() {
                case .queued(let request): number = request
                case .mark(let mark) where mark.request == number:
                    if mark.kind == .command { return mark }
                    throw VTError(.negative, "'\(self.session.name)': the line was interrupted before it started")
                default: continue
                }
            }
        }
    }

    // MARK: - Output

    /// Passes on the output of the command until it ends.
    private func follow(_ start: ShellMark) async throws(VTError) {
        var reader = LogReader(log, from: max(start.offset, request.resumeOffset ?? 0))
        var attachment = SessionFrame.Attachment.reader(from: reader.position)
        attachment.isReadOnly = !request.interrupts
        try await connection.send(.attach(attachment))
        while let frame = try await connection.next() {
            switch frame {
            case .output(let offset, let bytes):
                guard try await reader.forward(bytes, at: offset, receiver: receiver) else { throw .cancelled }
                result.withLock { [position = reader.position] in $0.end = position }
            case .gap(_, let end):
                guard try await reader.read(to: end, receiver: receiver) else { throw .cancelled }
            case .mark(let mark) where mark.request == start.request:
                let (kind, exit): (LineOutcome.Kind, ExitStatus?)
                switch mark.kind {
                case .end(let status): (kind, exit) = (.exit, .exited(status))
                case .replaced: (kind, exit) = (.replaced, nil)
                case .unknown: (kind, exit) = (.unknown, nil)
                case .prompt, .input, .continuation, .command: continue
                }
                return try await end(kind, exit, at: mark.offset, &reader)
            case .exit(let status, let offset):
                return try await end(.sessionEnded, status, at: offset, &reader)
            case .failure(let error): throw error
            case .resized(let size): try await receiver.resized(to: size)
            default: continue
            }
        }
        // The holder is gone; its record shows whether the program has ended.
        let last = try sessions.host.session(session.id.text)
        guard last.state == .exited else { return result.withLock { $0.kind = .unknown } }
        try await end(.sessionEnded, last.exit, at: last.outputBytes, &reader)
    }

    private func end(
        _ kind: LineOutcome.Kind,
        _ exit: ExitStatus?,
        at offset: UInt64,
        _ reader: inout LogReader
    ) async throws(VTError) {
        guard try await reader.read(to: offset, receiver: receiver) else { throw .cancelled }
        result.withLock { ($0.kind, $0.exit, $0.end) = (kind, exit, offset) }
    }

    // MARK: - Time

    /// Returns when the time of the command is over, and it is to be left running, or does not end after an interruption.
    private func pass(_ timeout: Duration) async throws(VTError) {
        try await sessions.clock.pause(for: timeout)
        guard request.interrupts else { return }
        wasInterrupted.withLock { $0 = true }
        for key in Self.interruptKeys {
            try await interrupt(with: key)
            try await sessions.clock.pause(for: Self.interruptLimit)
        }
        if request.assumedShell != nil {
            // The interruption may have discarded the rest of the typed line, so that its end is not reported.
            try await connection.send(.withdraw)
            try await sessions.clock.pause(for: Self.interruptLimit)
        }
    }

    private func interrupt(with key: UInt8) async throws(VTError) {
        let sequence = UInt64(Self.interruptKeys.firstIndex(of: key) ?? 0) + 1
        try await connection.send(.input(sequence: sequence, isChecked: false, bytes: [key]))
    }
}
