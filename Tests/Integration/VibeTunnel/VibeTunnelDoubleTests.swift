import TestSupport
import Testing

/// The servers that the other tests of this folder use.
struct VibeTunnelDoubleTests {
    @Test(arguments: [("requests", VibeTunnelDouble.Era.go), ("frames", .v3)])
    func `the double answers as upstream's programs do`(_ name: String, _ era: VibeTunnelDouble.Era) async throws {
        let server = try VibeTunnelDouble(era, password: "secret")
        if era == .v3 {
            let session = server.add("s1", command: ["bash", "--norc", "--noprofile"])
            let prompt = "\u{1B}[?2004hbash-5.2# "
            session.emit(prompt)
            session.emit("echo héllo\r\n\u{1B}[?2004l\rhéllo\r\n\(prompt)")
            session.emit("\r\n\u{1B}[?2004l\r\(prompt)")
        }
        let words = [TestTree.support("vibetunnel_double.py"), name, "\(server.port)", "secret"]
        let result = try await ProgramCall(TestTree.python, words, environment: [:]).run()
        #expect(result.text == "ok\n", "\(result.errorText)")
    }
}
