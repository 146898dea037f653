import Core
import Runtime
import System

/// Obtains leases of shared connections.
struct KeeperClient: Sendable {
    let executor: LoopExecutor
    let directory: KeeperDirectory
    let launcher: KeeperLauncher
    /// See `PlanCoding.encode`.
    let context: String
    let environment: [ByteString]
    let diagnostics: any Diagnostics

    /// The maximum number of keepers for one connection; further commands use separate connections.
    private static let keeperLimit = 16
    /// How many times a keeper may turn out to be unusable before the command uses a separate connection.
    private static let attempts = 3
    /// The interval and number of pings before an unresponsive keeper counts as hung.
    private static let pings = (interval: Duration.seconds(1), count: 3)
    /// The same limits for a keeper that has just been started; starting can take a while on a busy machine.
    private static let firstPings = (interval: Duration.seconds(1), count: 10)

    /// The result of one attempt.
    private enum Attempt {
        case lease(KeeperLease)
        /// The keeper has ended or is about to.
        case unusable
        /// There is no keeper, and none can be started.
        case none
    }

    /// Returns a lease from the keeper with this number or a later one, with a channel already requested; nil if the
    /// command must use a separate connection.
    ///
    /// - Throws: errors of `Connector.connect`, which the keeper reports.
    func lease(
        _ plan: SSHPlan,
        sharing: ConnectionSharing,
        from number: Int = 0,
        observer: any ConnectionObserver
    ) async throws(VTError) -> KeeperLease? {
        guard number < Self.keeperLimit else { return nil }
        let key = PlanCoding.encode(plan, context: context, environment: environment)
        let secrets = await KeeperSecrets(plan)
        let hello = KeeperHello(
            key: key,
            secretsDigest: secrets.digest,
            connectTimeout: plan.limits.connectTimeout,
            idleTimeout: sharing.idleTimeout,
            promptLimit: UInt32(clamping: plan.prompter?.limit ?? 0),
            environment: PlanCoding.usesProxyCommand(plan) ? environment : []
        )
        let path = directory.socket(of: key, number: number)
        for _ in 0..<Self.attempts {
            let attempt = try await attempt(
                hello,
                secrets,
                of: plan,
                at: path,
                startsKeeper: sharing.startsKeeper && !sharing.isRequired,
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
        _ hello: KeeperHello,
        _ secrets: KeeperSecrets,
        of plan: SSHPlan,
        at path: String,
        startsKeeper: Bool,
        number: Int,
        observer: any ConnectionObserver
    ) async throws(VTError) -> Attempt {
        let identity = FileIdentity(at: path)
        guard let connection = try await connect(to: path, startsKeeper: startsKeeper) else { return .none }
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
            return .lease(KeeperLease(name: plan.name, number: number, channel: frames))
        } catch {
            await frames.close()
            guard error == silence else { throw error }
            diagnostics.detail("\(plan.name): \(error.message)")
            launcher.discard(path, identity)
            return .unusable
        }
    }

    /// Connects as `KeeperLauncher.connect` does; returns nil if another command does not finish starting a keeper.
    private func connect(to path: String, startsKeeper: Bool) async throws(VTError) -> KeeperLauncher.Connection? {
        do throws(VTError) {
            return try await FileLock.retry(within: KeeperDirectory.lockTimeout, on: LoopClock(executor)) {
                () throws(VTError) in try launcher.connect(to: path, startsKeeper: startsKeeper)
            }
        } catch {
            guard error.code == .busy else { throw error }
            return nil
        }
    }

    /// Answers the keeper's questions until the connection is established; false if the keeper cannot be used.
    private func isReady(
        _ frames: FrameSocket,
        _ plan: SSHPlan,
        _ secrets: KeeperSecrets,
        observer: any ConnectionObserver
    ) async throws(VTError) -> Bool {
        while let frame = try await frames.receive() {
            switch frame {
            case .step(let name, let step): observer.connection(name, reached: step)
            case .note(let text): diagnostics.note(text)
            case .wantsSecret(let purpose, let depth):
                await frames.send(.secret(try secrets.secret(purpose, depth: depth)))
            case .asks(let prompt):
                await frames.send(.secret(try await plan.prompter?.answer(prompt)))
            case .ready(let processID):
                observer.connection(plan.name, reached: .shared(processID: processID))
                return true
            case .failed(let error): throw error
            case .stale: return false
            default: continue
            }
        }
        return false
    }
}
