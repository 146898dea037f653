import Core
import Recording
import Runtime
import Synchronization

/// Runs a command in its own session, and records it from start to end.
package struct CommandRecording: Sendable {
    /// The result of recording a command.
    package struct Outcome: Sendable {
        /// The session in its final state.
        package var session: Session
        /// Why the recording is incomplete, if it is.
        package var recordingFailure: VTError?
        /// Why the output could not be shown, if that failed.
        package var outputFailure: VTError?
        /// Why typing failed, if it did.
        package var inputFailure: VTError?
        /// The last signal received from `stops`; nil if there was none.
        package var stopSignal: CInt?
    }

    private let client: SessionClient

    /// How long a program may keep running after a signal before it is killed.
    private static let grace = Duration.seconds(3)

    /// `client` is the machine to run the command on.
    package init(on client: SessionClient) {
        self.client = client
    }

    /// Runs the command; returns when it has ended and its recording has been written.
    ///
    /// `show` shows the output of a session, given by its ID, as it is written, until the session ends. When `type` has
    /// typed into the session, the command is terminated if it is still running. The elements of
    /// `stops` are signals for the command, which is killed if it keeps running for the grace period after the first.
    /// The session still exists afterward, so that nothing is lost if the recording failed.
    ///
    /// If the recording cannot be written and `isWanted` returns false, because no one reads it anymore, the command is
    /// terminated, as it would be in a pipeline. If only `show` fails, the command continues.
    ///
    /// - Throws: Errors from starting the command or determining how it ended.
    package func run(
        _ order: SessionCreation,
        _ request: RecordRequest,
        to sink: any ByteSink,
        showing show: (@Sendable (_ session: String) async throws(VTError) -> Void)?,
        typing type: (@Sendable (_ session: String) async throws(VTError) -> Void)? = nil,
        stops: AsyncStream<CInt>,
        isWanted: @Sendable () -> Bool = { true }
    ) async throws(VTError) -> Outcome {
        let client = client
        let session = try await client.call(order).session
        let id = session.id.text
        let stopSignal = Mutex<CInt?>(nil)
        let stopping = Task.onCurrentExecutor {
            await withDiscardingTaskGroup { group in
                for await signal in stops {
                    let isFirst = stopSignal.withLock { stopSignal in
                        defer { stopSignal = signal }
                        return stopSignal == nil
                    }
                    group.addTask {
                        // It is not an error if the command has already ended.
                        _ = try? await client.call(KillRequest(SignalName(number: signal), grace: Self.grace), on: id)
                        if isFirst { await Self.killAfterGrace(id, on: client) }
                    }
                }
            }
        }
        defer { stopping.cancel() }
        async let shown = Self.failure { () async throws(VTError) in try await show?(id) }
        async let typed = Self.failure { () async throws(VTError) in
            guard let type else { return }
            let failure = await Self.failure { () async throws(VTError) in try await type(id) }
            await Self.terminate(id, on: client)
            if let failure { throw failure }
        }
        let recordingFailure = await Self.failure { () async throws(VTError) in
            try await Self.endingUnwanted(id, on: client, isWanted) { () async throws(VTError) in
                try await client.call(request, on: id, sink: sink)
            }
        }
        let (outputFailure, inputFailure) = await (shown, typed)
        // A recording that ended early, for example at its size limit, does not end the command.
        let end = try await client.wait(for: .exit, of: id, from: nil, timeout: nil)
        var ended = try await client.session(id)
        if ended.exit == nil { ended.exit = end.session.exit }
        return Outcome(
            session: ended,
            recordingFailure: recordingFailure,
            outputFailure: outputFailure,
            inputFailure: inputFailure,
            stopSignal: stopSignal.withLock { $0 }
        )
    }

    /// Removes the session; does nothing if it has already been removed.
    package func remove(_ session: Session) async throws(VTError) {
        do throws(VTError) {
            _ = try await client.call(CleanupRequest([session.id.text]))
        } catch {
            guard error.code == .notFound else { throw error }
        }
    }

    /// Terminates the command if it is still running.
    private static func terminate(_ id: String, on client: SessionClient) async {
        // A failure to end the command is not hidden: the recording continues until the command ends.
        guard let session = try? await client.session(id), session.state.isLive else { return }
        _ = try? await client.call(KillRequest(grace: grace), on: id)
    }

    /// Kills the command unless it ends within the grace period.
    private static func killAfterGrace(_ id: String, on client: SessionClient) async {
        let end = try? await client.wait(for: .exit, of: id, from: nil, timeout: grace)
        guard end == nil, !Task.isCancelled else { return }
        _ = try? await client.call(KillRequest(grace: grace), on: id)
    }

    /// Terminates the command if `work` fails because no one reads the recording anymore.
    private static func endingUnwanted(
        _ id: String,
        on client: SessionClient,
        _ isWanted: @Sendable () -> Bool,
        _ work: () async throws(VTError) -> Void
    ) async throws(VTError) {
        do throws(VTError) {
            try await work()
        } catch {
            // It is not an error if the command has already ended.
            if !isWanted() { _ = try? await client.call(KillRequest(grace: grace), on: id) }
            throw error
        }
    }

    private static func failure(_ work: @Sendable () async throws(VTError) -> Void) async -> VTError? {
        do throws(VTError) {
            try await work()
            return nil
        } catch {
            return error
        }
    }
}
