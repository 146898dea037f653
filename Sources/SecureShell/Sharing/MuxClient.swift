import Core
import Runtime
import System

/// Obtains leases of shared connections.
struct MuxClient: Sendable {
    let executor: LoopExecutor
    let directory: MuxDirectory
    /// The path of vt.
    let program: String
    /// See `PlanCoding.encode`.
    let context: String
    /// The environment of this process, as `NAME=VALUE`.
    let environment: [ByteString]
    let diagnostics: any Diagnostics

    /// The maximum number of mux servers for one connection; further commands use separate connections.
    private static let muxServerLimit = 16
    /// How many times a mux server may turn out to be unusable before the command uses a separate connection.
    private static let attempts = 3
    /// The interval and number of pings before an unresponsive mux server counts as hung.
    private static let pings = (interval: Duration.seconds(1), count: 3)
    /// The same limits for a mux server that has just been started; starting can take a while on a busy machine.
    private static let firstPings = (interval: Duration.seconds(1), count: 10)

    /// The result of one attempt.
    private enum Attempt {
        case lease(MuxLease)
        /// The mux server has ended or is about to.
        case unusable
        /// There is no mux server, and none can be started.
        case none
    }

    /// Returns a lease from the mux server with this number or a later one, with a channel already requested; nil if
    /// the command must use a separate connection.
    ///
    /// - Throws: errors of `Connector.connect`, which the mux server reports.
    func lease(
        _ plan: SSHPlan,
        sharing: ConnectionSharing,
        from number: Int = 0,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> MuxLease? {
        guard number < Self.muxServerLimit else { return nil }
        let key = PlanCoding.encode(plan, context: context, environment: environment)
        let secrets = await MuxSecrets(plan)
        let hello = MuxHello(
            key: key,
            secretsDigest: secrets.digest,
            connectTimeout: plan.limits.connectTimeout,
            idleTimeout: sharing.idleTimeout,
            promptLimit: UInt32(clamping: plan.prompter?.limit ?? 0),
            environment: PlanCoding.runsProgram(plan) ? environment : []
        )
        let path = directory.socket(of: key, number: number)
        for _ in 0..<Self.attempts {
            let attempt = try await attempt(
                hello,
                secrets,
                of: plan,
                at: path,
                startsMuxServer: sharing.startsMuxServer && !sharing.isRequired,
                number: number,
                observer: observer
            )
            switch attempt {
            case .lease(let lease): return lease
            case .unusable: continue
            case .none: return nil
            }
        }
        return nil
    }

    private func attempt(
        _ hello: MuxHello,
        _ secrets: MuxSecrets,
        of plan: SSHPlan,
        at path: String,
        startsMuxServer: Bool,
        number: Int,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> Attempt {
        let identity = FileIdentity(at: path)
        guard let connection = try await connection(to: path, startsMuxServer: startsMuxServer) else { return .none }
        let pings = connection.isNew ? Self.firstPings : Self.pings
        let frames = FrameSocket(connection.release(), executor: executor)
        let silence = VTError(.timedOut, "the process for the shared connection to '\(plan.name)' does not respond")
        do throws(VTError) {
            await frames.failOnSilence(every: pings.interval, count: pings.count, silence)
            await frames.send(.hello(hello), .open)
            guard try await isReady(frames, plan, secrets, observer: observer) else {
                await frames.close()
                return .unusable
            }
            return .lease(MuxLease(name: plan.name, number: number, channel: frames))
        } catch {
            await frames.close()
            guard error == silence else { throw error }
            diagnostics.detail("\(plan.name): \(error.message)")
            discard(path, identity)
            return .unusable
        }
    }

    /// Answers the mux server's questions until the connection is established; false if the mux server cannot be used.
    private func isReady(
        _ frames: FrameSocket,
        _ plan: SSHPlan,
        _ secrets: MuxSecrets,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> Bool {
        while let frame = try await frames.receive() {
            switch frame {
            case .step(let name, let step): observer(name, step)
            case .note(let text): diagnostics.note(text)
            case .wantsSecret(let purpose, let depth):
                await frames.send(.secret(try secrets.secret(purpose, depth: depth)))
            case .asks(let prompt):
                await frames.send(.secret(try await plan.prompter?.answer(prompt)))
            case .ready(let processID):
                observer(plan.name, .shared(processID: processID))
                return true
            case .failed(let error): throw error
            case .stale: return false
            default: continue
            }
        }
        return false
    }
}
