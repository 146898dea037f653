import Core
import Glibc
import System

/// Checks whether the SSH agent in the environment is running.
struct AgentCheck {
    let finding: Finding

    private static let name = "ssh-agent"
    /// How long the agent may take to accept a connection.
    private static let timeoutSeconds = 1

    /// `path` is the value of SSH_AUTH_SOCK; nil if the variable is unset.
    init(_ path: String?) {
        guard let path else {
            finding = Finding(Self.name, .ok, "none")
            return
        }
        let failure = Self.connect(to: path)
        finding =
            failure == 0
            ? Finding(Self.name, .ok, "responds at '\(path)'")
            : Finding(
                Self.name,
                .warn,
                "cannot connect to '\(path)': \(systemErrorText(failure))",
                hint: "start an agent with ssh-agent(1), or unset SSH_AUTH_SOCK"
            )
    }

    /// Returns 0 or the errno; the corresponding C function is `connect`.
    private static func connect(to path: String) -> CInt {
        let number = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        guard number >= 0 else { return errno }
        let socket = FileDescriptor(owning: number)
        // On Linux, this timeout also applies to connect(2) on a Unix socket (socket(7)).
        var timeout = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        unsafe setsockopt(socket.number, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return ENAMETOOLONG }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? 0 : errno
    }
}
