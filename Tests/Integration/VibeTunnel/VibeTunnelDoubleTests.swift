import TestSupport
import Testing

/// The servers that the other tests of this folder use.
struct VibeTunnelDoubleTests {
    @Test(arguments: [("requests", VibeTunnelDouble.Era.go), ("streams", .go), ("frames", .v3)])
    func `the double answers as upstream's programs do`(_ name: String, _ era: VibeTunnelDouble.Era) async throws {
        let server = try VibeTunnelDouble(era, password: "secret")
        let words = [TestTree.support("vibetunnel_double.py"), name, "\(server.port)", "secret"]
        let result = try await ProgramCall(TestTree.python, words, environment: [:]).run()
        #expect(result.text == "ok\n", "\(result.errorText)")
    }
}
