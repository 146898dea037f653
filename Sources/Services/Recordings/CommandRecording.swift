import Core
import Recording
import Synchronization

/// Runs a command in a session of its own, and records it from its first byte to its end.
package struct CommandRecording: Sendable {
    /// What became of it.
    package struct Outcome: Sendable {
        /// The session as it ended.
        package var session: Session
        /// Why the recording is not complete, where that is so.
        package var recordingFailure: VTError?
        /// Why the output could not be passed on, where that is so.
        package var outputFailure: VTError?
        /// The signal that ended the command.
        package var stopSignal: CInt?
    }

    private let site: any SessionSite

    /// How long programs that are asked to end have before they are killed.
    private static let grace = Duration.seconds(3)

    /// `site` is the machine where the command runs.
    package init(on site: any SessionSite) {
        self.site = site
    }

    /// Returns when the command has ended and its recording is written.
    ///
    /// `output` gets what the command writes, as it comes. The first element of `stops` is a signal for the command, which
    /// is killed if it goes on for longer than the grace, or there is another. The session is there still, so that
    /// nothing is lost where the recording failed.
    ///
    /// - Throws: What keeps the command from starting, and what keeps its end from being known.
    package func run(
        _ order: SessionCreation,
        _ request: RecordRequest,
        to sink: any ByteSink,
        output: (any OutputReceiver)?,
        stops: AsyncStream<CInt>
    ) async throws(VTError) -> Outcome {
        let site = site
        let session = try await site.create(order).session
        let id = session.id.text
        let stopSignal = Mutex<CInt?>(nil)
        let stopping = Task {
            for await signal in stops {
                let isFirst = stopSignal.withLock { stopSignal in
                    defer { stopSignal = signal }
                    return stopSignal == nil
                }
                // A command that has ended by itself in the meantime is what was wanted.
                if isFirst {
                    _ = try? await site.kill(id, signal: SignalName(number: signal), grace: Self.grace)
                    _ = try? await site.wait(for: .exit, of: id, from: nil, timeout: Self.grace)
                }
                _ = try? await site.kill(id, signal: nil, grace: Self.grace)
            }
        }
        defer { stopping.cancel() }
        async let copied = Self.failure { () async throws(VTError) in
            guard let output else { return }
            _ = try await site.logs(of: id, from: .offset(0), follows: true, receiver: output)
        }
        let recordingFailure = await Self.failure { () async throws(VTError) in
            try await site.record(id, request, to: sink)
        }
        let outputFailure = await copied
        // A recording that ended early, be it full, does not end the command.
        let end = try await site.wait(for: .exit, of: id, from: nil, timeout: nil)
        var ended = try await site.session(id)
        if ended.exit == nil { ended.exit = end.exit }
        return Outcome(
            session: ended,
            recordingFailure: recordingFailure,
            outputFailure: outputFailure,
            stopSignal: stopSignal.withLock { $0 }
        )
    }

    /// Removes the session; it is no failure when somebody else did.
    package func remove(_ session: Session) async throws(VTError) {
        do throws(VTError) {
            _ = try await site.cleanUp([session.id.text], SessionFilter(), isDryRun: false)
        } catch {
            guard error.code == .notFound else { throw error }
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
