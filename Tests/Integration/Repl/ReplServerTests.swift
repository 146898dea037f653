import TestSupport
import Testing

/// Lines for programs in sessions of VibeTunnel servers.
struct ReplServerTests {
    @Test(arguments: VibeTunnelDouble.Era.allCases)
    func `lines are sent after the history has been received`(_ era: VibeTunnelDouble.Era) async throws {
        let lab = try await VibeTunnelLab(era)
        // The server's double has no terminals.
        let program = "TERM=xterm exec script -q -c '/usr/bin/python3 -q' /dev/null"
        _ = try await lab.create("work", program)
        for (line, output, exit) in [
            ("for i in range(100): print(i)", (0..<100).map { "\($0)\n" }.joined(), 0), ("nope", "", 1),
            ("6 * 7", "42\n", 0),
        ] {
            let options = ["--repl", "python", "--wait", "20s", "--timeout", "20s", "--", line]
            let result = try await lab.vt.call(["sessions", "exec", "mac:work"] + options).run()
            #expect(result.exit == Int32(exit), "\(result.errorText)")
            #expect(exit == 1 ? result.text.hasPrefix("Traceback") : result.text == output)
        }
    }
}
