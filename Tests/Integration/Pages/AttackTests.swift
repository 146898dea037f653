import Foundation
import TestSupport
import Testing

/// Attacks on `vt serve`, beside two pages of its user.
///
/// Each lasts five seconds, or as many times longer as `VT_TEST_ROUNDS` says; the limits are then those of a release build
/// on an idle machine, and otherwise those of a debug build on a busy one.
@Suite(.crowded)
struct AttackTests {
    private static let rounds = ProcessInfo.processInfo.environment["VT_TEST_ROUNDS"].flatMap { Int($0) } ?? 1
    private static let (memoryMiB, keyMilliseconds) = rounds == 1 ? (96, 5000) : (64, 250)

    @Test(arguments: [
        "pings", "pings_of_strangers", "refused_input", "requests", "fragments", "calls", "sockets", "connections",
        "downloads", "logins", "bodies", "chunks", "streams", "messages", "frames_of_pages",
    ])
    func `an attack disturbs nobody`(_ attack: String) async throws {
        let lab = try await PageLab(
            "--vibetunnel",
            sessions: [
                "shell": ["bash", "--norc", "-i"], "cat": ["cat"],
                "long": ["sh", "-c", "head -c 6000000 /dev/urandom | base64; echo ready; exec cat"],
            ]
        )
        try await lab.vt.check("sessions", "wait", "long", "--match", "ready", "--from", "0")
        let seconds = 5 * Self.rounds
        let limits = [Int(lab.server.pid), seconds, Self.memoryMiB, Self.keyMilliseconds].map { String($0) }
        let result = try await lab.run(attack, limits, in: "page_attacks.py", deadline: .seconds(60 + seconds))
        #expect(result.text == "ok\n", "\(result.errorText)")
        lab.server.signal(SIGTERM)
        try await lab.server.wait(deadline: .seconds(5))
        try await lab.end()
    }
}
