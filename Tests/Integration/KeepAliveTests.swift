import Foundation
import TestSupport
import Testing

/// Connections that are idle for many keep-alive intervals.
@Suite(.crowded)
struct KeepAliveTests {
    /// The length of the packet that answers a request for keep-alive, in bytes.
    private static let answerSize = 36

    @Test func `parts of a packet that never ends are no answers`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let relay = try Relay(to: lab.server.port)
        let options = ["--no-agent", "--keep-alive", "2s", "--keep-alive-count", "2"]
        try await lab.addProfile("k", port: relay.port, options)
        try await lab.meet()
        let exec = try lab.vt.start("exec", "k", "echo in; read line")
        try await exec.output.read(until: "in\n")
        // Bit 4 of the third byte of a packet, which is encrypted in counter mode, adds 4096 to its length.
        relay.flip(bit: 4, ofByte: 2)
        #expect(try await exec.wait() == .exited(255))
        let errors = String(decoding: await exec.errors.readToEnd(), as: UTF8.self)
        #expect(errors.contains("lost the connection to 'k': no response for"), "\(errors)")
        // A packet with this length would have been complete only after many more answers.
        #expect(relay.bytesToClient < 4096 + 8192)
    }

    @Test(.sharing) func `keeps an idle connection to a server that responds, for each command that waits`()
        async throws
    {
        let lab = try await Lab()
        let vt = lab.vt
        try lab.linkVt()
        let relay = try Relay(to: lab.server.port)
        let options = ["--no-agent", "--keep-alive", "250ms", "--keep-alive-count", "6"]
        try await lab.addProfile("k", port: relay.port, options)
        try await lab.meet("k")
        let script = "echo ready; read line; echo got $line; exit 7"
        try await vt.check("sessions", "create", "k:s", "--", "sh", "-c", script)
        let file = try vt.writeElsewhere("", to: "out.cast")

        let wait = try vt.start("sessions", "wait", "k:s", "--exit")
        let attach = try vt.start("attach", "k:s")
        let logs = try vt.start("sessions", "logs", "k:s", "-f", "--exit-status")
        try await logs.output.read(until: "ready")
        let record = try vt.start("record", "k:s", "-f", "-o", file)
        #expect(await eventually { (try? String(contentsOfFile: file, encoding: .utf8))?.contains("ready") == true })
        let exec = try vt.start("exec", "k", "echo in; read line; exit 7")
        try await exec.output.read(until: "in\n")
        let all = [exec, attach, logs, wait, record]
        let connections = relay.connectionCount
        // Four answers of the server to requests for each connection; libssh2 sends at most one request every 2 s.
        let received = relay.bytesToClient
        #expect(await eventually { relay.bytesToClient >= received + 4 * all.count * Self.answerSize })
        #expect(all.map(\.isRunning) == [true, true, true, true, true])

        try await vt.check("sessions", "send", "k:s", "word", "--enter")
        try exec.input.write("word\n")
        #expect(try await exec.wait() == .exited(7))
        #expect(try await attach.wait() == .exited(7))
        #expect(try await logs.wait() == .exited(7))
        #expect(try await wait.wait() == .exited(7))
        #expect(try await record.wait() == .exited(0))
        // `wait` and `attach` may connect after the connections were counted, and `send` connects once; none reconnects.
        #expect(relay.connectionCount <= connections + 3)
        #expect(String(decoding: await logs.output.readToEnd(), as: UTF8.self).contains("got word"))
    }
}
