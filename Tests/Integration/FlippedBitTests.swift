import Foundation
import Synchronization
import TestSupport
import Testing

/// A server's stream in which one bit is flipped, by a faulty network or an attacker.
///
/// Such a stream must neither end vt by a signal, nor pass as a success with a wrong result, nor affect the results of
/// other servers. With `VT_TEST_ROUNDS=50` (`make test-flips`), the bit is in each of the first 2,500 bytes.
@Suite(.crowded)
struct FlippedBitTests {
    /// What vt does with the server.
    enum Purpose: CaseIterable {
        case command, fleet, copy, tools
    }

    private let lab: FlippingLab

    init() async throws {
        lab = try await FlippingLab()
    }

    @Test(arguments: Purpose.allCases)
    func `a flipped bit is an error, and only for its server`(_ purpose: Purpose) async throws {
        let flips = lab.flips
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in lab.relays.indices {
                group.addTask {
                    for index in stride(from: worker, to: flips.count, by: lab.relays.count) {
                        let (offset, bit) = flips[index]
                        lab.relays[worker].flip(bit: bit, at: offset)
                        let problem = try await self.problem(purpose, worker)
                        #expect(problem == nil, "byte \(offset), bit \(bit)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Uses the profile of a worker once; returns what is wrong.
    private func problem(_ purpose: Purpose, _ worker: Int) async throws -> String? {
        switch purpose {
        case .command:
            let result = try await lab.vt.run("exec", "--timeout", "20s", "f\(worker)", "echo done; exit 3")
            return problem(result, success: 3, failures: [124, 255], isRight: result.text == "done\n")
        case .fleet:
            let result = try await lab.vt.run("exec", "--timeout", "20s", "--json", "f\(worker),a,b,c", "echo done")
            let exits = try result.jsonLines().filter { $0["exit"] as? [String: Int] == ["code": 0] }
            let others = ["a", "b", "c"].allSatisfy { (name: String) in
                result.text.contains(#"{"event":"stdout","target":"\#(name)","text":"done\n"}"#)
                    && exits.contains { $0["target"] as? String == name }
            }
            let own = #"{"event":"stdout","target":"f\#(worker)","text":"done\n"}"#
            guard others else { return "\(result.status): \(result.text)\(result.errorText)" }
            return problem(result, success: 0, failures: [1], isRight: result.text.contains(own))
        case .copy:
            let path = try lab.vt.writeElsewhere("old\n", to: "copied-\(worker)")
            let result = try await lab.vt.run("copy", "f\(worker):\(lab.file)", path)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            guard result.status == .exited(0) || text == "old\n" else { return "\(result.status): \(text)" }
            return problem(result, success: 0, failures: [69, 74, 76, 77], isRight: text == FlippingLab.text)
        case .tools: return try await problemOfTools(worker)
        }
    }

    /// Copies from the server, and then from another one.
    private func problemOfTools(_ worker: Int) async throws -> String? {
        let path = try lab.vt.writeElsewhere("old\n", to: "fetched-\(worker)")
        let server = try lab.vt.start("mcp")
        var answer = ""
        for (id, profile) in ["f\(worker)", "a"].enumerated() {
            let arguments = #"{"from":"\#(profile):\#(lab.file)","to":"\#(path)"}"#
            let call = #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"copy","arguments":"#
            try server.input.write(call + arguments + ",\(FlippingLab.meta)}}\n")
            // There can be other messages before the answer.
            answer = try await server.output.read(until: #""id":\#(id)"#)
            while !answer.hasSuffix("\n") { answer += try await server.output.read(until: "\n") }
        }
        server.input.close()
        let status = try await server.wait()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let isRight = text == FlippingLab.text && answer.contains(#""isError":false"#)
        return status == .exited(0) && isRight ? nil : "\(status): \(answer)"
    }

    private func problem(_ result: ProgramResult, success: Int32, failures: [Int32], isRight: Bool) -> String? {
        if result.status == .exited(success), isRight { return nil }
        if failures.contains(where: { result.status == .exited($0) }), !result.errors.isEmpty { return nil }
        return "\(result.status): \(result.text)\(result.errorText)"
    }
}

/// An OpenSSH server as the profiles `a`, `b` and `c`, and through relays, each for one task, as `f0`, `f1` and so on.
private struct FlippingLab: Sendable {
    let vt: Vt
    let relays: [Relay]
    /// A file on the server.
    let file: String
    /// The bits to flip: those at which vt once crashed, and others.
    let flips: [(offset: Int, bit: Int)]

    static let text = String(repeating: "contents\n", count: 100)
    static let meta = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#
    private static let step = max(1, 50 / testRounds(1))

    private let server: OpenSSHServer

    init() async throws {
        let lab = try await Lab(sharesConnections: false)
        (vt, server) = (lab.vt, lab.server)
        relays = try (0..<4).map { _ in try Relay(to: lab.server.port) }
        for (index, relay) in relays.enumerated() {
            try await lab.addProfile("f\(index)", port: relay.port)
            try await lab.meet("f\(index)")
        }
        for name in ["a", "b", "c"] {
            try await lab.addProfile(name)
            try await lab.meet(name)
        }
        file = try vt.writeElsewhere(Self.text, to: "original")
        // The low byte of the length of an encrypted packet, which must be a multiple of the cipher's block size.
        let lengths = relays[0].chunkStarts.map { ($0 + 3, 0) }
        flips = lengths + stride(from: 0, to: 2500, by: Self.step).map { ($0, $0 / Self.step % 8) }
    }
}
