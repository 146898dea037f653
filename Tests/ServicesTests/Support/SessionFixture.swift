import Core
import CoreTestSupport
@testable import Services
import Synchronization
import System

/// The sessions of a simulated machine.
struct SessionFixture {
    let host: FakeSessionStore
    let sessions: LocalSessions
    let notes = RecordedNotes()
    var client: SessionClient { SessionClient(sessions) }

    init(
        _ kept: [FakeSessionStore.Kept] = [],
        survival: Survival = Survival(.unaffected, reason: "no login"),
        environment: [String: String] = ["PATH": "/bin", "HOME": "/home/ann", "SECRET": "x"],
        unmarkedPause: Duration = .seconds(600),
        holderLimits: HolderLimits = HolderLimits()
    ) {
        host = FakeSessionStore(kept)
        sessions = Self.sessions(
            of: host,
            survival: survival,
            environment: environment,
            notes: notes,
            unmarkedPause: unmarkedPause,
            holderLimits: holderLimits
        )
    }

    /// The sessions in a store.
    static func sessions(
        of host: some SessionStore,
        survival: Survival = Survival(.unaffected, reason: "no login"),
        environment: [String: String] = [:],
        notes: RecordedNotes = RecordedNotes(),
        unmarkedPause: Duration = .seconds(600),
        holderLimits: HolderLimits = HolderLimits()
    ) -> LocalSessions {
        var world = World(clock: ContinuousClock(), environment: Environment(environment), diagnostics: notes)
        world.survival = { survival }
        world.account = { Account(name: "ann", home: "/home/ann", shell: "/bin/zsh") }
        world.version = "1.0"
        var sessions = LocalSessions(in: host, world)
        (sessions.unmarkedPause, sessions.holderLimits) = (unmarkedPause, holderLimits)
        return sessions
    }
}

/// A receiver that records output and gaps.
final class RecordedOutput: OutputReceiver {
    private let state = Mutex((bytes: [UInt8](), gaps: [Range<UInt64>]()))
    private let wants: Int

    /// Stops receiving after `wants` bytes.
    init(wants: Int = .max) { self.wants = wants }

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var gaps: [Range<UInt64>] { state.withLock { $0.gaps } }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        state.withLock { state in
            state.bytes += bytes
            return state.bytes.count < wants
        }
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        state.withLock { $0.gaps.append(start..<end) }
    }
}

/// A machine that runs no programs.
private struct NoMachine: CommandHost {
    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        throw VTError(.system, "no programs can be run")
    }
}
