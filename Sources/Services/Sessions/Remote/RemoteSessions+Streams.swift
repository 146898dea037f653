import Core
import Recording
import Runtime
import Synchronization

/// Calls that continue after a lost connection.
extension RemoteSessions {
    /// Continues after a lost connection at the offset that has been reached.
    func logs(
        of name: String,
        _ request: LogsRequest,
        _ receive: @escaping SessionReceiver
    ) async throws(VTError) {
        let reached = Mutex<UInt64?>(nil)
        // The amount of output that exists is limited, and so is the number of attempts to get it.
        try await reconnecting(
            goodAfter: request.follows ? Self.goodAfter : nil,
            progress: { request.follows ? reached.withLock { $0 } : nil }
        ) { host, answered async throws(VTError) in
            var request = request
            request.start = reached.withLock { $0 }.map { LogStart.offset($0) } ?? request.start
            try await self.converse(SessionCall(request, on: name), on: host, answered) { frame throws(VTError) in
                let continues = try await receive(frame)
                switch frame {
                case .output(let offset, let bytes): reached.withLock { $0 = offset + UInt64(bytes.count) }
                case .gap(_, let end): reached.withLock { $0 = end }
                default: break
                }
                return continues
            }
        }
    }

    /// Waits again after a lost connection; for expressions, from the offset at which the first wait started.
    func wait(
        _ request: WaitRequest,
        of name: String,
        _ receive: @escaping SessionReceiver
    ) async throws(VTError) {
        guard let timeout = request.timeout else { return try await waitAgain(request, of: name, receive) }
        let late = request.timedOut("'\(self.name(of: name))'", after: timeout)
        // Only the server can find the output of a wait that times out.
        let limit = request.includesOutput ? timeout + Self.lastOutputTimeout : timeout
        do throws(VTError) {
            try await withTimeout(limit, on: clock, throwing: late) { () async throws(VTError) in
                var request = request
                if !request.includesOutput { request.timeout = nil }
                try await self.waitAgain(request, of: name, receive)
            }
        } catch {
            throw error.code == .timedOut ? late : error
        }
    }

    /// How long the server may take to send the output of a wait that has timed out.
    private static let lastOutputTimeout = Duration.seconds(2)

    private func waitAgain(
        _ request: WaitRequest,
        of name: String,
        _ receive: @escaping SessionReceiver
    ) async throws(VTError) {
        let current = Mutex(request)
        let reached = Mutex<UInt64>(0)
        let deadline = request.timeout.map { ContinuousClock.now + $0 }
        try await reconnecting(progress: { nil }) { host, answered async throws(VTError) in
            let request = current.withLock { request in
                request.timeout = deadline.map { max(.zero, $0 - .now) }
                return request
            }
            try await self.converse(SessionCall(request, on: name), on: host, answered) { frame throws(VTError) in
                if case .accepted(_, let offset, _) = frame, request.hasExpression {
                    current.withLock { $0.start = offset }
                }
                if case .output(let offset, let bytes) = frame {
                    // The output is sent again in the same pieces.
                    guard offset >= reached.withLock({ $0 }) else { return true }
                    reached.withLock { $0 = offset + UInt64(bytes.count) }
                }
                return try await receive(frame)
            }
        }
    }

    /// Runs a line in the shell of a session; after a lost connection, asks for the outcome of the same request.
    func execute(
        _ request: LineExecution,
        in name: String,
        _ receive: @escaping SessionReceiver
    ) async throws(VTError) {
        let state = Mutex(request)
        /// Until when the command may run, once it has started, or before that, until when it may wait.
        let deadlines = Mutex(
            (start: request.patience.map { ContinuousClock.now + $0 }, end: ContinuousClock.Instant?.none)
        )
        let progress = { state.withLock { $0.resumeOffset } }
        try await reconnecting(progress: progress) { host, answered async throws(VTError) in
            let request = state.withLock { request in
                defer { request.isRepeated = true }
                let (start, end) = deadlines.withLock { $0 }
                request.patience = start.map { max(.zero, $0 - .now) }
                if let end { request.timeout = max(.zero, end - .now) }
                return request
            }
            try await self.converse(SessionCall(request, on: name), on: host, answered) { frame throws(VTError) in
                switch frame {
                case .output(let offset, let bytes):
                    state.withLock { $0.resumeOffset = offset + UInt64(bytes.count) }
                case .gap(_, let end): state.withLock { $0.resumeOffset = end }
                case .accepted: deadlines.withLock { $0.end = $0.end ?? request.timeout.map { .now + $0 } }
                default: break
                }
                return try await receive(frame)
            }
        }
    }

    /// Has the remote vt make the recording, so that it is identical to a recording made on the server.
    ///
    /// After a lost connection, the remote vt sends the recording again, and the part that has already been written is
    /// skipped.
    func record(
        _ name: String,
        _ request: RecordRequest,
        _ receive: @escaping SessionReceiver
    ) async throws(VTError) {
        let frames = CallbackSink { bytes async throws(VTError) in
            guard try await receive(.data(bytes)) else { throw .cancelled }
        }
        let repeated = RepeatedSink(frames, from: self.name, isBinary: request.format == .raw)
        try await reconnecting(progress: { repeated.passedCount }) { host, answered async throws(VTError) in
            repeated.restart()
            try await self.converse(SessionCall(request, on: name), on: host, answered) { frame throws(VTError) in
                if case .data(let bytes) = frame { try await repeated.write(bytes) }
                return true
            }
            try await repeated.finish()
        }
    }
}
