import TestSupport
import Testing

/// The state of a session right after it has been killed.
@Suite(.crowded)
struct SessionEndTests {
    @Test func `a killed session can be cleaned up immediately`() async throws {
        let vt = try Vt()
        let rounds = """
            for i in 1 2 3 4 5 6 7 8; do
                vt -q sessions create k -- cat && vt sessions kill k && vt sessions cleanup k || exit 1
            done
            """
        let result = try await vt.bash("\(rounds) >/dev/null")
        #expect(result.status == .exited(0))
        #expect(result.errorText == "")
    }
}
