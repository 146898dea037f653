import Foundation

/// A test's own ssh-agent, stopped when the last reference is released.
package final class SSHAgent: Sendable {
    /// The value for SSH_AUTH_SOCK.
    package let socket: String

    private let scratch: ScratchDirectory
    private let agent: RunningProgram

    /// Starts an agent with the ed25519 key of `stranger`, if any, followed by the keys of these kinds in order.
    package init(_ keys: KeyRing, _ kinds: [KeyRing.Kind], after stranger: KeyRing? = nil) async throws {
        scratch = try ScratchDirectory()
        let socket = scratch.path("agent")
        self.socket = socket
        agent = try ProgramCall("ssh-agent", ["-D", "-a", socket]).start()
        // The socket exists before the agent listens on it; status 2 means that ssh-add(1) cannot connect.
        let list = ProgramCall("ssh-add", ["-l"], environment: ["SSH_AUTH_SOCK": socket])
        let end = ContinuousClock.now + .seconds(30)
        while try await list.run().status == .exited(2) {
            guard ContinuousClock.now < end else { throw FixtureError("ssh-agent did not start") }
        }
        let files = [stranger?.path(.ed25519)].compactMap { $0 } + kinds.map(keys.path)
        for file in files {
            try await ProgramCall("ssh-add", ["-q", file], environment: ["SSH_AUTH_SOCK": socket]).check()
        }
    }

    /// Sends a signal, such as SIGSTOP, to the agent.
    package func signal(_ number: Int32) {
        agent.signal(number)
    }

    package func stop() {
        agent.kill()
    }
}
