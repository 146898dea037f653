import Foundation
import TestSupport
import Testing

/// What a command does before its own work.
struct StartupTests {
    /// Runs vt, and returns the system calls of these kinds that it made.
    private func calls(_ kinds: String, of vt: Vt, _ words: [String]) async throws -> String {
        let scratch = try ScratchDirectory()
        let trace = scratch.path("trace")
        let options = ["-f", "-qq", "-e", "trace=\(kinds)", "-e", "signal=none", "-o", trace]
        let call = ProgramCall("/usr/bin/strace", options + [TestTree.vt] + words, environment: vt.environment)
        _ = try await call.run()
        return try String(contentsOfFile: trace, encoding: .utf8)
    }

    @Test(arguments: ["version", "help exec", "sessions nothing", "completion", "sessions list", "profile list"])
    func `a command on this machine creates no event loop`(line: String) async throws {
        let words = line.split(separator: " ").map(String.init)
        #expect(try await !calls("epoll_create,epoll_create1", of: Vt(), words).contains("epoll_create"))
    }

    @Test(arguments: [["sessions", "send", "s", "text"], ["sessions", "screen", "s"], ["sessions", "kill", "s"]])
    func `a command for a session on this machine creates no event loop`(words: [String]) async throws {
        let vt = try Vt()
        try await vt.check("sessions", "create", "s", "--", "cat")
        #expect(try await !calls("epoll_create,epoll_create1", of: vt, words).contains("epoll_create"))
    }

    @Test(.asRoot, arguments: ["version", "sessions list", "exec local true", "ssh host"])
    func `without proc, the error says so`(line: String) async throws {
        let script = "mount -t tmpfs none /proc && exec \(TestTree.vt) \(line)"
        let call = ProgramCall("/usr/bin/unshare", ["-m", "sh", "-c", script], environment: try Vt().environment)
        let result = try await call.run()
        #expect(result.exit == 71)
        #expect(result.errorText == "vt: /proc is not mounted\nhint: mount it: mount -t proc proc /proc\n")
    }

    @Test func `a connection creates an event loop`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let made = try await calls("epoll_create,epoll_create1", of: lab.vt, ["exec", "p", "true"])
        #expect(made.contains("epoll_create"))
    }
}
