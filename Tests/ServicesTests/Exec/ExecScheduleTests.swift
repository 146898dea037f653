import Core
import CoreTestSupport
import Runtime
import Services
import Synchronization
import Testing

/// The order in which the jobs of a run start.
@Suite struct ExecScheduleTests {
    /// A machine that records when programs start and end; those whose names begin with `bad` exit with 1.
    private final class Machine: CommandHost {
        private let events = Mutex<[String]>([])

        var log: [String] { events.withLock { $0 } }

        func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> Core.ExitStatus {
            guard case .shellLine(let line) = request.command else { return .unknown }
            let name = line.repairedText
            events.withLock { $0.append("+\(name)") }
            for _ in 0..<5 { await Task.yield() }
            events.withLock { $0.append("-\(name)") }
            return .exited(name.hasPrefix("bad") ? 1 : 0)
        }
    }

    /// Records the names of the jobs that have ended.
    private final class Receiver: ExecReceiver {
        let ended = Monitor<[String]>([])

        func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
            (MemorySink(), MemorySink())
        }

        func ended(_ job: ExecJob, _ end: ExecEnd) async throws(VTError) {
            ended.update { $0.append(job.name) }
        }
    }

    private let machine = Machine()
    private let receiver = Receiver()

    private func run(
        _ names: String,
        _ limits: ExecLimits,
        failed: [Int: VTError] = [:],
        clock: any Clock<Duration> = EagerClock()
    ) async throws -> [ExecOutcome] {
        var world = World(clock: clock, diagnostics: RecordedNotes())
        let machine = machine
        world.localMachine = { machine }
        world.connector = { _ in FakeServer(keys: []) }
        let jobs = names.split(separator: " ").map(String.init).map { name in
            ExecJob(
                name: name,
                target: .adHoc(Destination(user: nil, host: name)),
                place: .local,
                request: ExecRequest(.shellLine(ByteString(name)))
            )
        }
        return try await ExecService(world)
            .run(jobs, input: BytesSource(), limits: limits, failed: failed, receiver: receiver)
            .map(\.outcome)
    }

    @Test(
        arguments: [
            (ExecBatches(), 5, [0..<5]), (ExecBatches(), 0, []),
            (ExecBatches(size: .count(2)), 5, [0..<2, 2..<4, 4..<5]),
            (ExecBatches(size: .percent(50)), 5, [0..<3, 3..<5]),
            (ExecBatches(canary: .count(1)), 5, [0..<1, 1..<5]),
            (ExecBatches(canary: .count(1), size: .count(3)), 5, [0..<1, 1..<4, 4..<5]),
            (ExecBatches(canary: .count(9), size: .count(1)), 3, [0..<3]),
            (ExecBatches(canary: .percent(1), size: .percent(100)), 3, [0..<1, 1..<3]),
        ] as [(ExecBatches, Int, [Range<Int>])]
    )
    func `jobs are divided into batches`(_ batches: ExecBatches, _ count: Int, _ ranges: [Range<Int>]) {
        #expect(batches.ranges(of: count) == ranges)
    }

    @Test func `a batch starts when the one before is complete, and after the pause`() async throws {
        let clock = EagerClock()
        let batches = ExecBatches(size: .count(2), pause: .seconds(30))
        let outcomes = try await run("a bad1 c d e", ExecLimits(batches: batches), clock: clock)
        #expect(outcomes.map(\.isSuccess) == [true, false, true, true, true])
        let log = machine.log
        try #require(log.count == 10)
        #expect(
            [log[0..<2], log[2..<4], log[4..<6], log[6..<8]].map { Set($0) } == [
                ["+a", "+bad1"], ["-a", "-bad1"], ["+c", "+d"], ["-c", "-d"],
            ]
        )
        #expect(log[8...] == ["+e", "-e"])
        #expect(clock.waits == [.seconds(30), .seconds(30)])
    }

    @Test func `at most --parallel jobs of a batch run at once`() async throws {
        _ = try await run("a b c d", ExecLimits(parallel: 1, batches: ExecBatches(size: .count(2))))
        #expect(machine.log == ["+a", "-a", "+b", "-b", "+c", "-c", "+d", "-d"])
    }

    @Test func `nothing else runs if a canary fails`() async throws {
        let clock = EagerClock()
        let batches = ExecBatches(canary: .count(2), size: .count(1), pause: .seconds(30))
        let outcomes = try await run("a bad1 c d", ExecLimits(batches: batches), clock: clock)
        #expect(outcomes == [.ended(.exited(0)), .ended(.exited(1)), .skipped, .skipped])
        #expect(receiver.ended.withLock { Set($0) } == ["a", "bad1", "c", "d"])
        #expect(clock.waits == [])
    }

    @Test func `a failure after the canary stops nothing`() async throws {
        let outcomes = try await run("a bad1 c", ExecLimits(batches: ExecBatches(canary: .count(1), size: .count(1))))
        #expect(outcomes == [.ended(.exited(0)), .ended(.exited(1)), .ended(.exited(0))])
    }

    @Test(arguments: [(1, [true, true, false, false]), (2, [true, true, true, true])])
    func `a run with a maximum of failures stops before the next batch`(_ maximum: Int, _ ran: [Bool]) async throws {
        let clock = EagerClock()
        let limits = ExecLimits(
            failures: .count(maximum),
            finishesRunning: true,
            batches: ExecBatches(size: .count(2), pause: .seconds(1))
        )
        let outcomes = try await run("bad1 b c d", limits, clock: clock)
        #expect(outcomes.map { $0 != .skipped } == ran)
        #expect(clock.waits.count == maximum - 1)
    }

    @Test func `a job that cannot run is a failed canary`() async throws {
        let limits = ExecLimits(batches: ExecBatches(canary: .count(2)))
        let outcomes = try await run("a b c", limits, failed: [1: VTError(.config, "no key")])
        #expect(outcomes.map { $0 == .skipped } == [false, false, true])
        #expect(machine.log == ["+a", "-a"])
    }

    @Test func `a pause ends when the run is canceled`() async throws {
        let batches = ExecBatches(size: .count(1), pause: .seconds(30))
        let running = Task { try await run("a b", ExecLimits(batches: batches), clock: StoppedClock()) }
        try await receiver.ended.wait { $0 == ["a"] ? () : nil }
        running.cancel()
        #expect(try await running.value == [.ended(.exited(0)), .skipped])
        #expect(machine.log == ["+a", "-a"])
    }
}
