import Foundation
import TestSupport
import Testing

/// Repetitions and figures; with `VT_TEST_ROUNDS=200`, they take minutes.
@Suite(.serialized)
struct VibeTunnelMeasurements {
    private static let rounds = ProcessInfo.processInfo.environment["VT_TEST_ROUNDS"].flatMap(Int.init) ?? 2

    @Test(arguments: [VibeTunnelDouble.Era.legacy, .v3])
    func `a wait returns the right status each time`(_ era: VibeTunnelDouble.Era) async throws {
        let lab = try await VibeTunnelLab(era)
        let cases = [("exit 0", 0), ("exit 3", 3), ("exit 127", 127), ("kill -TERM $$", 143), ("kill -KILL $$", 137)]
        for round in 0..<Self.rounds {
            for (line, status) in cases {
                let pause = ["", "sleep 0.02; ", "sleep 0.1; "][round % 3]
                let id = try await lab.create("r", "\(pause)\(line)")
                let result = try await lab.run("sessions", "wait", "mac:\(id)", "--exit")
                #expect(result.exit == Int32(status), "round \(round), \(line): \(result.errorText)")
                _ = try await lab.run("sessions", "cleanup", "mac:\(id)")
            }
        }
    }

    @Test(arguments: [VibeTunnelDouble.Era.legacy, .v3])
    func `sessions of a server that is killed are lost each time`(_ era: VibeTunnelDouble.Era) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<Self.rounds {
                group.addTask {
                    let lab = try await VibeTunnelLab(era)
                    let session = lab.server.add("s")
                    session.emit("x")
                    let waiter = try lab.vt.start("sessions", "wait", "mac:s", "--exit")
                    #expect(await eventually { session.streamCount > 0 })
                    lab.server.stop()
                    let errors = String(decoding: await waiter.errors.readToEnd(), as: UTF8.self)
                    #expect(try await waiter.wait() == .exited(255), "\(errors)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: [VibeTunnelDouble.Era.legacy, .v3])
    func `much output needs little memory`(_ era: VibeTunnelDouble.Era) async throws {
        let lab = try await VibeTunnelLab(era)
        let session = lab.server.add("big")
        let line = String(repeating: "0123456789 \u{1B}[31mabcdef\u{1B}[m ", count: 160) + "\r\n"
        let count = (Self.rounds > 100 ? 100 : 10) << 20
        let events = count / line.utf8.count
        // Events that are equal could be taken for repeated ones.
        for number in 1_000_000..<(1_000_000 + events) { session.emit("\(number)" + line.dropFirst(7)) }
        session.end(0)
        var peakBytes = Int.max
        // If the kernel reclaims pages of the program after the peak, they count as its memory.
        for _ in 0..<3 where peakBytes > Self.limitBytes {
            peakBytes = try await peak(following: lab, expected: events * line.utf8.count)
            print("\(era): \(count >> 20) MiB, peak \(peakBytes >> 20) MiB")
        }
        #expect(peakBytes <= Self.limitBytes, "\(peakBytes >> 20) MiB")
    }

    /// Follows the session `big`, and returns the memory of the program that does so.
    private func peak(following lab: VibeTunnelLab, expected: Int) async throws -> Int {
        let follower = try lab.vt.start("sessions", "logs", "mac:big", "--follow")
        let errors = Task { String(decoding: await follower.errors.readToEnd(), as: UTF8.self) }
        // The program cannot end before the rest has been read, because a pipe has room for less (pipe(7)).
        let most = await follower.output.read(atLeast: expected - (512 << 10)).count
        let peak = most < expected ? try? follower.peakResidentBytes() : nil
        let rest = await follower.output.readToEnd().count
        let end = try await follower.wait()
        let message = await errors.value
        #expect(end == .exited(0) && most + rest == expected, "\(end), \(most) + \(rest) bytes: \(message)")
        return try #require(peak)
    }

    /// A debug build needs more.
    private static let limitBytes = (TestTree.vt.contains("debug") ? 24 : 16) << 20
}
