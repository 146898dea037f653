import Core
import Runtime
import Services
import Synchronization

/// A server whose vt gives scripted answers; records the requests to that vt.
final class FakeRemoteVT: Connector {
    struct Answer {
        var output: [UInt8] = []
        var errors = ""
        var status = Core.ExitStatus.exited(0)
        /// Whether the connection is lost after the output.
        var isLost = false
        /// Whether vt runs until it is canceled.
        var isSilent = false
    }

    private struct State {
        var asked: [[String]] = []
        var inputs: [[UInt8]] = []
        var answers: [Answer]
        var connectAttempts = 0
    }

    /// The number of connections that succeed; later ones fail.
    private let connectionLimit: Int

    private let state: Mutex<State>

    /// The requests receive these answers in order; the last one is repeated.
    init(_ answers: [Answer], connectionLimit: Int = .max) {
        self.connectionLimit = connectionLimit
        state = Mutex(State(answers: answers))
    }

    convenience init(_ output: String) {
        self.init([Answer(output: Array(output.utf8))])
    }

    /// The number of connection attempts, including those that failed.
    var connectAttempts: Int { state.withLock { $0.connectAttempts } }

    /// The arguments of each run of `vt`.
    var asked: [[String]] { state.withLock { $0.asked } }

    /// The input of each run that reads its input.
    var inputs: [[UInt8]] { state.withLock { $0.inputs } }

    func connect(
        _ plan: ConnectionPlan,
        observer: any ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        let attempt = state.withLock { state in
            state.connectAttempts += 1
            return state.connectAttempts
        }
        guard attempt <= connectionLimit else { throw VTError(.hostUnreachable, "no route") }
        return Host(far: self)
    }

    func hostKey(of plan: SSHPlan, type: String) async throws(VTError) -> HostKey? { nil }

    func close() async {}

    func hostKeyTypes() -> [String] { [] }

    private struct Host: RemoteHost {
        let far: FakeRemoteVT

        func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> Core.ExitStatus {
            guard case .arguments(let words) = request.command else { throw VTError(.internal, "not an argument list") }
            let asked = words.dropFirst(4).map(\.repairedText)
            let answer = far.state.withLock { state in
                state.asked.append(Array(asked))
                return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
            }
            if asked.contains("--stdin-bytes") || asked.contains("--env-stdin") {
                var input: [UInt8] = []
                while let bytes = try await streams.input.read() { input += bytes }
                far.state.withLock { $0.inputs.append(input) }
            }
            try await streams.output.write(RemoteVTCommand.marker + answer.output)
            try await streams.errorOutput.write(Array(answer.errors.utf8))
            if answer.isSilent { _ = try await Monitor(()).wait { _ in Optional<Void>.none } }
            if answer.isLost { throw VTError(.hostUnreachable, "the connection was lost") }
            return answer.status
        }

        func close() async {}
    }
}
