import TestSupport
import Testing

/// `vt copy`, `vt ls` and `vt cat` with SFTP servers that stop following the protocol while SSH keeps working.
@Suite(.crowded)
struct HostileFileServerTests {
    /// The arguments of the server, and the expected exit statuses.
    static let servers: [(String, [String])] = [
        ("bad 1", ["76"]), ("bad 2", ["76"]), ("bad 3", ["76", "0"]), ("bad 5", ["76", "0"]),
        ("silent 1", ["124"]), ("silent 2", ["124"]), ("silent 4", ["124", "0"]),
        ("empty 0", ["76", "0", "74"]),
    ]

    @Test(arguments: servers, [true, false])
    func `no command outlives its limit`(_ server: (String, [String]), isShared: Bool) async throws {
        let program = "\(TestTree.python) \(TestTree.support("hostile_sftp.py")) \(server.0)"
        let lab = try await Lab(
            .init(lines: ["Subsystem sftp \(program)"], hasFiles: false),
            sharesConnections: isShared
        )
        try await lab.meet()
        let script = """
            cd; mkdir -p t; echo a >t/a
            run() { timeout -s KILL 100 vt "$@" --timeout 3s >/dev/null; echo $?; }
            run ls p:/d; run cat p:/f; run copy p:/f f; run copy t/a p:/new; run copy -r p:/d x; run copy -r t p:/d
            ls -A | grep -c vt- || true
            """
        let result = try await lab.vt.bash(script, deadline: .seconds(600))
        let lines = result.text.split(separator: "\n").map(String.init)
        try #require(lines.count == 7, "\(result.errorText)")
        for line in lines.dropLast() {
            // The copy of a tree reports its failures, and exits with 1.
            #expect((server.1 + ["1", "124"]).contains(line), "\(lines) \(result.errorText)")
        }
        #expect(lines.first == server.1.first, "\(lines) \(result.errorText)")
        #expect(lines.last == "0")
    }

    @Test func `a file that an unanswered request may have emptied is named`() async throws {
        // SSH_FXP_OPEN
        let program = "\(TestTree.python) \(TestTree.support("hostile_sftp.py")) mute 3"
        let lab = try await Lab(.init(lines: ["Subsystem sftp \(program)"], hasFiles: false))
        let script = """
            cd; echo a >a; vt copy --in-place --timeout 3s a p:/f || echo $?
            vt copy --in-place --timeout 3s - p:/f <a || echo $?
            """
        let result = try await lab.vt.bash(script)
        #expect(result.text == "124\n124\n", "\(result.errorText)")
        #expect(
            result.errorText.split(separator: "\n").count { $0 == "vt: '/f' may be incomplete" } == 2,
            "\(result.errorText)"
        )
    }
}
