@testable import Services
import Core
import CoreTestSupport
import Synchronization
import Testing

struct ReconnectTests {
    private static let lost = VTError(.hostUnreachable, "no route")

    @Test func `output continues where the connection was lost`() async throws {
        let fixture = AttachFixture()
        let outcome = try await fixture.attach { holder, terminal, _ in
            for round in 1...20 {
                holder.write("\(round)\n")
                try await holder.until { _ in terminal.text.hasSuffix("\(round)\n") || round % 3 == 0 }
                holder.cut()
                holder.write("\(round) more\n")
                try await holder.until { $0.attachments.count > round }
            }
            holder.exit(.exited(3))
        }
        #expect(outcome == .ended(.exited(3)))
        let lines = Self.withoutStatus(fixture.terminal.text)
        let expected = (1...20).map { "\($0)\n\($0) more\n" }.joined()
        #expect(lines == String(repeating: "\n", count: 24) + "<screen>" + expected)
        #expect(Set(fixture.holder.attachments.map(\.token)).count == 1)
        #expect(fixture.route.sessions.dropFirst().allSatisfy { $0 == "0123456789ab" })
    }

    @Test func `continues without reconnecting if the holder leaves a slow client behind`() async throws {
        var fixture = AttachFixture(FakeTerminal(hasKeyboard: false, hasScreen: false))
        fixture.request.reconnects = .none
        let outcome = try await fixture.attach { holder, terminal, _ in
            holder.write("first ")
            try await holder.until { _ in terminal.text == "first " }
            holder.leave()
            holder.write("last")
            holder.exit(.exited(3))
        }
        #expect(outcome == .ended(.exited(3)))
        #expect(fixture.terminal.text == "first last")
        #expect(fixture.terminal.notes.isEmpty)
    }

    @Test func `shows a new screen if more output was missed than can be shown quickly`() async throws {
        let fixture = AttachFixture()
        _ = try await fixture.attach { holder, terminal, _ in
            holder.write("first")
            try await holder.until { _ in terminal.text.hasSuffix("first") }
            let missed = [UInt8](repeating: UInt8(ascii: "x"), count: (8 << 20) + 1)
            holder.cut()
            holder.write(missed)
            try await holder.until { $0.attachments.count == 2 }
            holder.exit(.exited(0))
        }
        #expect(fixture.holder.attachments.map(\.from) == [nil, nil])
    }

    @Test func `requests a new screen if output was released from the log in the meantime`() async throws {
        let fixture = AttachFixture()
        fixture.holder.setFeatures(SessionFrame.Feature.ofHolders)
        _ = try await fixture.attach { holder, _, _ in
            holder.tell(.gap(from: 0, to: 10))
            holder.cut()
            try await holder.until { $0.attachments.count == 2 }
            #expect(holder.redraws == 0)
            holder.tell(.gap(from: 10, to: 20))
            try await holder.until { $0.redraws == 1 }
            holder.exit(.exited(0))
        }
    }

    @Test func `a holder that closes every connection is given up`() async throws {
        var fixture = AttachFixture(FakeTerminal(hasKeyboard: false, hasScreen: false))
        fixture.request.reconnects = .none
        await #expect(throws: VTError(.hostUnreachable, "lost the connection to 'web:build'")) {
            _ = try await fixture.attach { holder, _, _ in
                holder.leave()
                try await holder.until { $0.attachments.count == 2 }
                holder.leave()
            }
        }
    }

    @Test func `delivers unacknowledged input once`() async throws {
        let fixture = AttachFixture()
        _ = try await fixture.attach { holder, terminal, _ in
            holder.setSilent(true)
            try await terminal.type("once ")
            try await holder.until { $0.typed == Array("once ".utf8) }
            holder.cut()
            try await terminal.type("later")
            holder.setSilent(false)
            try await holder.until { $0.typed == Array("once later".utf8) }
            holder.exit(.exited(0))
        }
        #expect(fixture.holder.typed == Array("once later".utf8))
        #expect(fixture.terminal.notes.isEmpty)
    }

    @Test func `reports input that might be lost`() async throws {
        let fixture = AttachFixture()
        _ = try await fixture.attach { holder, terminal, _ in
            holder.setSilent(true)
            try await terminal.type("four")
            try await holder.until { $0.typed.count == 4 }
            holder.exit(.exited(0))
        }
        #expect(fixture.terminal.notes == ["4 bytes of input might not have been delivered"])
    }

    @Test func `the first attempt is immediate, and the delays between the others increase`() async throws {
        let clock = EagerClock()
        var fixture = AttachFixture(FakeTerminal(hasKeyboard: false, hasScreen: false))
        fixture.clock = clock
        fixture.request.reconnects.limit = .seconds(32)
        let error = await #expect(throws: VTError.self) {
            _ = try await fixture.attach { holder, _, route in
                route.fail(Array(repeating: Self.lost, count: 10))
                holder.cut()
            }
        }
        #expect(error?.code == .hostUnreachable)
        #expect(error?.causes == ["no route"])
        #expect(fixture.route.sessions.count == 11)
        #expect(clock.waits == [1, 2, 4, 8, 16, 32, 32, 32, 32].map { .seconds($0) })
        #expect(fixture.terminal.notes.count == 10)
        #expect(
            fixture.terminal.notes.prefix(2) == [
                "lost the connection to 'web:build', reconnecting", "no route; next attempt in 1s (2 of 10)",
            ]
        )
    }

    @Test func `the count of attempts restarts with each connection`() async throws {
        let clock = EagerClock()
        var fixture = AttachFixture(FakeTerminal(hasKeyboard: false, hasScreen: false))
        fixture.clock = clock
        fixture.request.reconnects.limit = .seconds(32)
        _ = try await fixture.attach { holder, _, route in
            for round in 1...3 {
                route.fail(Array(repeating: Self.lost, count: 2))
                holder.cut()
                try await holder.until { $0.attachments.count > round }
            }
            holder.exit(.exited(0))
        }
        #expect(clock.waits == Array(repeating: [.seconds(1), .seconds(2)], count: 3).flatMap { $0 })
        #expect(fixture.terminal.notes.last == "reconnected to 'web:build'")
    }

    @Test(arguments: [
        VTError.Code.authDenied, .hostKeyChanged, .hostKeyUnknown, .notFound, .protocolViolation, .negative, .ended,
    ])
    func `a permanent failure stops the attempts immediately`(_ code: VTError.Code) async throws {
        let fixture = AttachFixture()
        await #expect(throws: VTError(code, "no")) {
            _ = try await fixture.attach { holder, _, route in
                route.fail([Self.lost, VTError(code, "no")])
                holder.cut()
            }
        }
        #expect(fixture.route.sessions.count == 3)
    }

    @Test func `does not retry a first connection that fails`() async throws {
        let fixture = AttachFixture()
        fixture.route.fail([Self.lost])
        let service = AttachService(machine: fixture.route, clock: ContinuousClock(), version: "1")
        await #expect(throws: Self.lost) {
            _ = try await service.attach(to: "build", fixture.request, terminal: fixture.terminal)
        }
        #expect(fixture.route.sessions == ["build"])
    }

    @Test func `if reconnecting is disabled, a lost connection is an error`() async throws {
        var fixture = AttachFixture()
        fixture.request.reconnects = .none
        await #expect(throws: VTError(.hostUnreachable, "lost the connection to 'web:build'")) {
            _ = try await fixture.attach { holder, _, _ in holder.cut() }
        }
    }

    @Test func `the detach key works while disconnected`() async throws {
        var fixture = AttachFixture()
        fixture.clock = EagerClock(limit: .seconds(1))
        fixture.request.reconnects.limit = .seconds(600)
        let outcome = try await fixture.attach { holder, terminal, route in
            route.fail([Self.lost, Self.lost])
            holder.cut()
            try await holder.until { _ in terminal.text.contains("(2 of 10) (^] to detach)") }
            try await terminal.type("\u{1D}")
        }
        #expect(outcome == .detached)
    }

    @Test func `attempts are limited by time if their number is not`() async throws {
        var policy = ReconnectPolicy.endless
        policy.timeLimit = .seconds(100)
        policy.jitter = 0
        let reconnection = Reconnection(policy, to: "web", on: SteppingClock())
        reconnection.connected()
        var delays: [Duration] = []
        let error = await #expect(throws: VTError.self) {
            try await reconnection.run { () async throws(VTError) in
                throw Self.lost
            } announce: { _, delay in
                delays.append(delay)
            }
        }
        #expect(delays == [0, 1, 2, 4, 8, 16, 32, 32, 5].map { .seconds($0) })
        #expect(error?.message == "lost the connection to 'web', and 9 attempts to reconnect failed")
    }

    @Test(arguments: 1...10)
    func `delays vary around the planned values, within the limit`(_ attempt: Int) {
        var generator = SystemRandomNumberGenerator()
        let planned = attempt == 1 ? 0.0 : min(32, Double(1 << (attempt - 2)))
        for _ in 0..<200 {
            let delay = ReconnectPolicy.standard.delay(before: attempt, using: &generator)
            #expect(delay >= .seconds(planned * 0.699) && delay <= .seconds(min(32, planned * 1.301)))
        }
        #expect(ReconnectPolicy.standard.attempts == 10)
    }

    /// Removes the status lines, which are written between saving and restoring the cursor.
    private static func withoutStatus(_ text: String) -> String {
        text.replacing(/\u{1B}7.*?\u{1B}8/, with: "")
    }
}

/// A clock that advances by each wait, which ends immediately.
private final class SteppingClock: Clock {
    private let time = Mutex(EagerClock.Instant())

    var now: EagerClock.Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: EagerClock.Instant, tolerance: Duration?) async throws {
        time.withLock { $0 = deadline }
    }
}
