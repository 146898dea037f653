import TestSupport
import Testing

/// The pager of `vt help`, in a session's terminal.
@Suite struct PagerTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    /// What a command line prints in a session, with `vt` for the program under test.
    private func shown(_ line: String) async throws -> String {
        try await vt.check("sessions", "run", "help", "--if-exists", "replace", "--", "/bin/bash", "-c", line)
    }

    @Test(arguments: [
        ("PAGER='sed s/^/%%/' vt help version", true),
        ("PAGER=cat VT_PAGER='sed s/^/%%/' vt version --help", true),
        ("PAGER='sed s/^/%%/' vt help targets", true),
        ("PAGER='sed s/^/%%/' vt -h", false),
        ("PAGER='sed s/^/%%/' VT_PAGER=cat vt help version", false),
        ("PAGER='sed s/^/%%/' vt help --no-pager version", false),
        ("PAGER='sed s/^/%%/' vt help version --json", false),
        ("PAGER='sed s/^/%%/' TERM=dumb vt help version", false),
        ("PAGER='sed s/^/%%/' vt help version | cat", false),
    ])
    func `long help on a terminal is shown by the pager`(line: String, isPaged: Bool) async throws {
        let text = try await shown(line)
        #expect(text.contains("vt"))
        #expect(text.contains("%%") == isPaged, "\(text)")
    }

    @Test func `help is printed if there is no such pager`() async throws {
        let text = try await shown("PAGER='no-such-pager -X' vt help version")
        #expect(text.contains("Usage: vt version") && !text.contains("not found"))
    }

    @Test func `less quits if the page fits, and its other keys and signals work`() async throws {
        #expect(try await shown("unset PAGER; vt help version; echo end").contains("end"))
        let line = "unset PAGER; vt help sessions wait; echo status $?; sleep 1000"
        try await vt.check("sessions", "create", "less", "--size", "80x10", "--", "/bin/bash", "-c", line)
        // Control-C ends a wait of less, but neither less nor the shell.
        for (key, shown) in [("", "Usage"), ("C-c", "Usage"), ("G", "(END)"), ("q", "status 0")] {
            if !key.isEmpty { try await vt.check("sessions", "send", "less", "--key", key) }
            let wait = ["sessions", "wait", "less", "--screen", shown, "--settle", "200ms", "--timeout", "20s"]
            try await vt.call(wait).check()
        }
    }
}
