import Core
import CoreTestSupport
import Runtime
@testable import Services
import System
import Storage
import Synchronization

/// A server whose relay gives scripted answers; records the calls.
final class FakeRelay: Connector {
    struct Answer {
        var frames: [SessionFrame]
        /// The frame after the others; nil if vt exits or the connection is lost in the middle of the result.
        var end: SessionFrame?
        /// The bytes that follow the frames.
        var rest: [UInt8] = []
        var status = Core.ExitStatus.exited(0)
        /// Whether the connection is lost after the answer.
        var isLost = false
        /// Whether vt says nothing more after the answer until it is canceled.
        var isSilent = false
        /// Whether anything has been written before the answer.
        var writesMarker = true
        /// Whether vt greets the client.
        var greets = true
        /// Whether the server runs no other program either.
        var isDead = false

        init(_ frames: [SessionFrame] = [], end: SessionFrame? = .done) {
            self.frames = frames
            self.end = end
        }

        static func lost(after frames: [SessionFrame] = [], and rest: [UInt8] = []) -> Answer {
            var answer = Answer(frames, end: nil)
            (answer.isLost, answer.rest) = (true, rest)
            return answer
        }

        /// A server that cannot be reached any more after it has received the call.
        static func dead() -> Answer {
            var answer = silent(greets: false)
            (answer.writesMarker, answer.isDead) = (false, true)
            return answer
        }

        /// A relay that was killed between two calls.
        static func killed() -> Answer {
            var answer = Answer(end: nil)
            (answer.writesMarker, answer.greets) = (false, false)
            answer.status = .signalled(SignalName("KILL"), coreDumped: false)
            return answer
        }

        /// The answer of a vt that does not know the relay.
        static func old() -> Answer {
            var answer = Answer(end: nil)
            (answer.greets, answer.status) = (false, .exited(64))
            return answer
        }

        static func silent(after frames: [SessionFrame] = [], greets: Bool) -> Answer {
            var answer = Answer(frames, end: nil)
            (answer.isSilent, answer.greets) = (true, greets)
            return answer
        }
    }

    private struct State {
        var calls: [SessionCall] = []
        var json: [String] = []
        var answers: [Answer]
        var connectAttempts = 0
        /// Whether the last answer was that of a dead server, on the present connection.
        var isDead = false
    }

    /// The number of connections that succeed; later ones fail.
    private let connectionLimit: Int

    private let state: Mutex<State>

    /// The calls receive these answers in order; the last one is repeated.
    init(_ answers: [Answer], connectionLimit: Int = .max) {
        self.connectionLimit = connectionLimit
        state = Mutex(State(answers: answers))
    }

    /// The number of connection attempts, including those that failed.
    var connectAttempts: Int { state.withLock { $0.connectAttempts } }

    var calls: [SessionCall] { state.withLock { $0.calls } }

    /// The JSON objects of the calls.
    var json: [String] { state.withLock { $0.json } }

    func connect(
        _ plan: ConnectionPlan,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        let attempt = state.withLock { state in
            state.connectAttempts += 1
            state.isDead = false
            return state.connectAttempts
        }
        guard attempt <= connectionLimit else { throw VTError(.hostUnreachable, "no route") }
        return Host(relay: self)
    }

    func hostKey(of plan: SSHPlan, type: String) async throws(VTError) -> HostKey? { nil }

    func close() async {}

    func hostKeyTypes() -> [String] { [] }

    /// Reads a call, and returns its answer.
    private func answer(to input: any ByteSource) async throws(VTError) -> Answer {
        var decoder = SessionFrameDecoder()
        var (json, data): ([UInt8]?, [UInt8]) = (nil, [])
        while true {
            while let frame = try decoder.next() {
                switch frame {
                case .call(let call): json = call
                case .data(let bytes): data += bytes
                default: continue
                }
            }
            if let json, data.count == (try SessionCall.dataBytes(of: json)) { break }
            guard let bytes = try await input.read() else { break }
            decoder.append(bytes)
        }
        let call = try SessionCall(json ?? [], data: data)
        return state.withLock { state in
            state.calls.append(call)
            state.json.append(String(decoding: json ?? [], as: UTF8.self))
            let answer = state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
            state.isDead = answer.isDead
            return answer
        }
    }

    private struct Host: RemoteHost {
        let relay: FakeRelay

        func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> Core.ExitStatus {
            guard request.command == RemoteVTCommand.request(["relay"]).command else {
                if relay.state.withLock({ $0.isDead }) { return try await Monitor(()).wait { _ in nil } }
                throw VTError(.internal, "not a relay")
            }
            if relay.state.withLock({ $0.answers[0].writesMarker }) {
                try await streams.output.write(RemoteVTCommand.marker)
            }
            if relay.state.withLock({ $0.answers[0].greets }) {
                let number = SessionFrame.protocolNumber
                try await streams.output.write(
                    SessionFrame.hello(protocolNumber: number, features: 0, version: "2").encoded
                )
            }
            let answer = try await relay.answer(to: streams.input)
            for frame in answer.frames + (answer.end.map { [$0] } ?? []) {
                try await streams.output.write(frame.encoded)
            }
            try await streams.output.write(answer.rest)
            if answer.isSilent { _ = try await Monitor(()).wait { _ in Optional<Void>.none } }
            if answer.isLost { throw VTError(.hostUnreachable, "the connection was lost") }
            return answer.status
        }

        func close() async {}
    }
}

extension RemoteSessions {
    /// The sessions of a server that `connector` simulates.
    static func of(
        _ connector: any Connector,
        profile: Profile? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        notes: RecordedNotes = RecordedNotes()
    ) throws -> RemoteSessions {
        var world = World(clock: clock, diagnostics: notes)
        world.connector = { _ in connector }
        world.directories = { () throws(VTError) in try StateDirectories(Environment(["HOME": "/dev/null"])) }
        world.profiles = { MemoryProfileStore() }
        world.version = "1"
        return try RemoteSessions(plan: .ssh(.sample("p")), profile: profile, in: world)
    }
}

extension SessionClient {
    static func of(
        _ connector: any Connector,
        profile: Profile? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        notes: RecordedNotes = RecordedNotes()
    ) throws -> SessionClient {
        SessionClient(try RemoteSessions.of(connector, profile: profile, clock: clock, notes: notes))
    }
}
