import Foundation

/// An ssh-agent of one test's own, ended when the last reference goes.
package final class SSHAgent: Sendable {
    /// The value for SSH_AUTH_SOCK.
    package let socket: String

    private let scratch: ScratchDirectory
    private let agent: RunningProgram

    /// Starts an agent that holds the ed25519 key of `stranger`, if any, and then the keys of these kinds, in this order.
    package init(_ keys: KeyRing, _ kinds: [KeyRing.Kind], after stranger: KeyRing? = nil) async throws {
        scratch = try ScratchDirectory()
        let socket = scratch.path("agent")
        self.socket = socket
        agent = try ProgramCall("ssh-agent", ["-D", "-a", socket]).start()
        guard await eventually({ FileManager.default.fileExists(atPath: socket) }) else {
            throw FixtureError("ssh-agent does not start")
        }
        let files = [stranger?.path(.ed25519)].compactMap { $0 } + kinds.map(keys.path)
        for file in files {
            try await ProgramCall("ssh-add", ["-q", file], environment: ["SSH_AUTH_SOCK": socket]).check()
        }
    }

    /// Sends the signal to the agent, such as SIGSTOP.
    package func signal(_ number: Int32) {
        agent.signal(number)
    }

    package func stop() {
        agent.kill()
    }
}
