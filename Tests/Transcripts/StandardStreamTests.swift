import TestSupport
import Testing

@Suite struct StandardStreamTests {
    @Test(arguments: ["vt version >/dev/full", "vt version --json >&-", "vt help >/dev/full", "vt help --json >&-"])
    func `a failure to write standard output is reported`(line: String) async throws {
        let result = try await Vt().bash(line)
        #expect(result.exit == 74)
        #expect(result.errorText.contains("cannot write to standard output: "))
    }

    @Test func `a closed standard error hides the message but not the status`() async throws {
        let result = try await Vt().bash("vt nope 2>&-")
        #expect(result.exit == 64)
        #expect(result.output.isEmpty)
    }

    @Test func `SIGPIPE ends vt when the reader of its output has exited`() async throws {
        let line = "vt help --json | :; echo ${PIPESTATUS[0]}"
        // The pipe can accept all output before its reader exits.
        #expect(["141\n", "0\n"].contains(try await Vt().bash(line).text))
    }

    @Test func `an error message shows an argument that is not UTF-8 in sanitized form`() async throws {
        let result = try await Vt().bash(#"vt $'\xff\e[2J'"#)
        #expect(result.exit == 64)
        let hint = "to run a program in a session: vt sessions create NAME -- \u{fffd}\\x1b[2J"
        #expect(result.errorText == "vt: unknown command 'vt \u{fffd}\\x1b[2J'\nhint: \(hint)\n")
    }
}
