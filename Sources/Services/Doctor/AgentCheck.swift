import Core
import System

/// Checks whether the SSH agent in the environment is running.
struct AgentCheck {
    let finding: Finding

    private static let name = "ssh-agent"
    /// How long the agent may take to accept a connection.
    private static let timeout = Duration.seconds(1)

    /// `path` is the value of SSH_AUTH_SOCK; nil if the variable is unset.
    init(_ path: String?) {
        guard let path else {
            finding = Finding(Self.name, .ok, "none")
            return
        }
        do throws(VTError) {
            let failure = try UnixSocket.connect(UnixSocket.make(), to: path, timeout: Self.timeout)
            guard failure == 0 else { throw .system(failure, "cannot connect to '\(path)'") }
            finding = Finding(Self.name, .ok, "responds at '\(path)'")
        } catch {
            let hint = "start an agent with ssh-agent(1), or unset SSH_AUTH_SOCK"
            finding = Finding(Self.name, .warn, error.message, hint: hint)
        }
    }
}
