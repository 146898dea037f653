import Core
import Runtime
import System

/// Obtains sockets to mux servers.
extension SharedHost {
    /// The maximum number of mux servers for one connection; further commands use separate connections.
    private static let muxServerLimit = 16
    /// How many times a mux server may turn out to be unusable before the command uses a separate connection.
    private static let attempts = 3
    /// The interval and number of pings before an unresponsive mux server counts as hung.
    private static let pings = (interval: Duration.seconds(1), count: 3)
    /// The same limits for a mux server that has just been started; starting can take a while on a busy machine.
    private static let firstPings = (interval: Duration.seconds(1), count: 10)

    /// Returns a socket to the mux server with this number or a later one, with a channel already requested; nil if the
    /// command must use a separate connection.
    ///
    /// - Throws: errors of `Connector.connect`, which the mux server reports.
    func connectedSocket(from number: Int) async throws(VTError) -> MuxSocket? {
        guard number < Self.muxServerLimit else { return nil }
        let key = directory.key(of: plan)
        let secrets = await MuxSecrets(plan)
        let hello = MuxHello(
            key: key,
            secretsDigest: secrets.digest,
            connectTimeout: plan.limits.connectTimeout,
            idleTimeout: sharing.idleTimeout,
            promptLimit: UInt32(clamping: plan.prompter?.limit ?? 0),
            environment: PlanCoding.runsProgram(plan) ? directory.environment : []
        )
        let path = directory.socket(of: key, number: number)
        let startsMuxServer = sharing.startsMuxServer && !sharing.isRequired
        for _ in 0..<Self.attempts {
            let identity = FileIdentity(at: path)
            guard
                let connection = try await directory.connection(
                    to: path,
                    startsMuxServer: startsMuxServer,
                    on: LoopClock(executor)
                )
            else { return nil }
            let pings = connection.isNew ? Self.firstPings : Self.pings
            let frames = FrameSocket(connection.release(), executor: executor)
            let answer = await Result { () async throws(VTError) in
                await frames.limitSilence(every: pings.interval, count: pings.count)
                await frames.send(.hello(hello), .open)
                return try await greet(over: frames, secrets)
            }
            if case .success(.ready) = answer { return (number, frames) }
            await frames.close()
            if case .silent = try answer.get() {
                let name = plan.name
                diagnostics.detail("\(name): the process for the shared connection to '\(name)' does not respond")
                directory.discard(path, identity)
            }
        }
        return nil
    }

    /// A mux server's answer to the first frame.
    private enum Answer {
        case ready
        /// The mux server has ended or is about to.
        case unusable
        case silent
    }

    /// Answers the mux server's questions until the connection is established.
    private func greet(over frames: FrameSocket, _ secrets: MuxSecrets) async throws(VTError) -> Answer {
        while true {
            switch try await frames.receive() {
            case .frame(.step(let name, let step)): observer(name, step)
            case .frame(.note(let text)): diagnostics.note(text)
            case .frame(.wantsSecret(let purpose, let depth)):
                await frames.send(.secret(try secrets.secret(purpose, depth: depth)))
            case .frame(.asks(let prompt)):
                await frames.send(.secret(try await plan.prompter?.answer(prompt)))
            case .frame(.ready(let processID)):
                observer(plan.name, .shared(processID: processID))
                return .ready
            case .frame(.failed(let error)): throw error
            case .frame(.stale), .ended: return .unusable
            case .frame: continue
            case .silent: return .silent
            }
        }
    }
}
