import Foundation
import TestSupport
import Testing

/// Sessions whose ID could not be printed.
@Suite(.crowded)
struct UnprintedSessionTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private func isEmpty() async throws -> Bool {
        try await vt.check("sessions", "list", "--json") == "[]\n"
    }

    @Test(arguments: ["", "--json"])
    func `removes a session whose ID cannot be written`(option: String) async throws {
        for program in ["sleep 1000", "true"] {
            let result = try await vt.bash("vt sessions create x \(option) -- \(program) >/dev/full")
            #expect(result.status == .exited(74))
            #expect(result.errorText.contains("cannot write to standard output"))
            #expect(try await isEmpty())
        }
    }

    @Test func `removes a session if the reader of its ID has exited`() async throws {
        // The reader exits before the ID is written.
        let result = try await vt.bash(
            "mkfifo ~/p ~/go; { read go <~/go; vt sessions create x -- sleep 1000; echo $? >&2; } >~/p & exec 3<~/p; exec 3<&-; echo >~/go; wait"
        )
        #expect(result.errorText == "141\n")
        #expect(try await isEmpty())
    }

    @Test func `keeps a session that existed before`() async throws {
        try await vt.check("sessions", "create", "x", "--", "sleep", "1000")
        let result = try await vt.bash("vt sessions create x --if-exists ok -- sleep 1000 >/dev/full")
        #expect(result.status == .exited(74))
        #expect(try await vt.run("sessions", "show", "x", "--json").json()["state"] as? String == "running")
    }
}
