import Core
import Storage
import System

/// Delivers the queue of a session, in order, each entry once.
///
/// Before an entry is sent, it is noted on disk that it may have been received; after an interruption, the session's
/// holder, which remembers the IDs of entries on disk, is asked for it.
package struct QueueDelivery: Sendable {
    private let store: FileQueueStore
    /// The name of the queue.
    private let queue: String
    /// The name of the session on its machine.
    private let name: String
    private let client: SessionClient
    /// How long the session may take to accept an entry, and its command to end.
    private let timeout: Duration
    /// Whether to send entries again of which it is unknown whether they were received.
    private let resendsUnknown: Bool

    package init(
        _ store: FileQueueStore,
        to reference: SessionReference,
        _ client: SessionClient,
        timeout: Duration,
        resendsUnknown: Bool
    ) {
        self.store = store
        queue = reference.text
        name = reference.session
        self.client = client
        self.timeout = timeout
        self.resendsUnknown = resendsUnknown
    }

    /// Delivers entries until none is left or one cannot be delivered; reports each entry with its new state.
    ///
    /// - Throws: `busy` when another process delivers the queue; the error of the entry that could not be delivered.
    package func run(_ report: (QueueEntry) throws(VTError) -> Void) async throws(VTError) {
        let lock = try store.lockDelivery(of: queue)
        defer { withExtendedLifetime(lock) {} }
        while let entry = try store.entries(of: queue).first(where: \.isPending) {
            if let expired = try expire(entry) {
                try report(expired)
                continue
            }
            if entry.state == .unknown, !resendsUnknown { throw unknown(entry) }
            guard let delivered = try await deliver(entry, report) else { continue }
            Fault.point(.flushSent)
            try store.finish(delivered)
            Fault.point(.flushNoted)
            try report(delivered)
        }
    }

    /// Marks an entry that has waited for too long as expired.
    private func expire(_ entry: QueueEntry) throws(VTError) -> QueueEntry? {
        guard entry.state == .waiting || entry.state == .failed, entry.expiresAt <= .now() else { return nil }
        let expired = entry.with(.expired, entry.failure)
        _ = try store.replace(expired)
        return expired
    }

    /// Delivers an entry; nil if it has been removed in the meantime.
    private func deliver(
        _ entry: QueueEntry,
        _ report: (QueueEntry) throws(VTError) -> Void
    ) async throws(VTError) -> QueueEntry? {
        var entry = entry
        if entry.state == .sending {
            entry = try await resume(entry)
            if entry.state == .delivered { return entry }
        }
        if entry.state != .sending {
            guard let begun = try await begin(entry, report) else { return nil }
            entry = begun
        }
        do throws(VTError) {
            return try await send(entry)
        } catch {
            // If no answer has come, the entry may have been received.
            guard !error.isCancellation, error.code != .hostUnreachable, error.code != .timedOut else { throw error }
            throw try await resolve(entry, error, report)
        }
    }

    /// Notes that an entry is about to be sent to the session that has the name now.
    private func begin(
        _ entry: QueueEntry,
        _ report: (QueueEntry) throws(VTError) -> Void
    ) async throws(VTError) -> QueueEntry? {
        let session = try await client.session(name)
        guard session.state.isLive else {
            let error = VTError(.ended, "'\(name)' has ended")
            try fail(entry, error, report)
            throw error
        }
        var begun = entry.with(.sending)
        begun.sessionID = session.id.text
        guard try store.replace(begun) else { return nil }
        Fault.point(.flushMarked)
        return begun
    }

    /// What is known about an entry that was being sent, and whether its session is running; nil if the session is gone.
    private func progress(of entry: QueueEntry) async throws(VTError) -> (state: RequestState, isLive: Bool)? {
        let id = entry.sessionID ?? name
        do throws(VTError) {
            let state = try await client.call(StateRequest(entry.id), on: id)
            return (state, try await client.session(id).state.isLive)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Finds out what has become of an entry that was being sent.
    ///
    /// Returns it as delivered, as waiting if it has had no effect on a session that has ended, and otherwise as it is,
    /// to be sent again.
    private func resume(_ entry: QueueEntry) async throws(VTError) -> QueueEntry {
        guard let (state, isLive) = try await progress(of: entry) else { throw try giveUp(entry, Self.removed) }
        switch state {
        case .unseen: return isLive ? entry : entry.with(.waiting)
        case .begun:
            guard isLive else { throw try giveUp(entry, Self.ended) }
            return entry
        case .done:
            guard entry.kind == .exec else { return entry.with(.delivered) }
            return isLive ? entry : entry.with(.delivered, "the session ended before the result was known")
        }
    }

    /// Sends an entry, unless the session has received it before; returns it as delivered.
    private func send(_ entry: QueueEntry) async throws(VTError) -> QueueEntry {
        let id = entry.sessionID ?? name
        guard entry.kind == .exec else {
            _ = try await client.call(SendRequest(entry.bytes, timeout: timeout, id: entry.id), on: id)
            return entry.with(.delivered)
        }
        var request = LineExecution(entry.bytes)
        (request.token, request.isIdentified) = (entry.id, true)
        (request.patience, request.timeout) = (timeout, timeout)
        let output = QueueOutput()
        let outcome = try await client.call(request, on: id, receiver: output)
        var done = entry.with(.delivered)
        (done.output, done.omittedBytes) = output.result()
        switch outcome.kind {
        case .exit, .interrupted, .sessionEnded: done.status = outcome.exit.map { UInt32($0.shellStatus) }
        // Nothing but the timeout is requested.
        case .timedOut, .idle, .input:
            throw VTError(
                .timedOut,
                "the command of entry \(entry.id) is still running after \(timeout.shortText)",
                hint: "to get its result later, use 'vt queue flush' again"
            )
        case .replaced: done.failure = "the command has replaced the shell"
        case .unknown: done.failure = "the shell has not reported how the command ended"
        }
        return done
    }

    /// Finds out what an error means for an entry; returns the error to report.
    private func resolve(
        _ entry: QueueEntry,
        _ error: VTError,
        _ report: (QueueEntry) throws(VTError) -> Void
    ) async throws(VTError) -> VTError {
        guard let (state, isLive) = try await progress(of: entry) else { return try giveUp(entry, Self.removed) }
        switch state {
        case .unseen: try fail(entry, error, report)
        case .begun where !isLive: return try giveUp(entry, Self.ended)
        case .begun where error.code == .protocolViolation: return try giveUp(entry, error.message)
        case .done where error.code == .protocolViolation:
            try store.finish(entry.with(.delivered, error.message))
        // The next delivery begins with the question again.
        case .begun, .done: break
        }
        return error
    }

    private func fail(
        _ entry: QueueEntry,
        _ error: VTError,
        _ report: (QueueEntry) throws(VTError) -> Void
    ) throws(VTError) {
        let failed = entry.with(.failed, error.message)
        _ = try store.replace(failed)
        try report(failed)
    }

    private static let removed = "the session was removed before the result was known"
    private static let ended = "the session ended while the entry was being passed to it"

    /// Notes that the result of an entry will never be known; returns the error.
    private func giveUp(_ entry: QueueEntry, _ reason: String) throws(VTError) -> VTError {
        let given = entry.with(.unknown, reason)
        _ = try store.replace(given)
        return unknown(given)
    }

    private func unknown(_ entry: QueueEntry) -> VTError {
        VTError(
            .negative,
            "it is unknown whether entry \(entry.id) was received: \(entry.failure ?? "the session is gone")",
            hint: "to send it again, add --resend-unknown; to remove it, use 'vt queue drop \(entry.id)'"
        )
    }
}
