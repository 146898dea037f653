import Core
import Glibc
import POSIX

/// The sentences of ssh(1) for failures to connect, which programs that run ssh look for, such as ssh-copy-id and TRAMP.
enum SSHFailureText {
    /// Returns the lines that ssh prints; nil if ssh has none for the failure.
    static func lines(for error: VTError, _ plan: ConnectionPlan) -> [String]? {
        let (host, port) = (plan.endpoint.host, plan.endpoint.port)
        switch error.code {
        case .hostUnresolved:
            return ["ssh: Could not resolve hostname \(host): Name or service not known"]
        case .hostUnreachable:
            // After the connection was made, ssh's messages depend on how it was lost.
            guard case .direct = plan.route, let reason = error.connectErrno else { return nil }
            return ["ssh: connect to host \(host) port \(port): \(sentence(reason))"]
        case .authDenied:
            let methods = error.acceptedMethods ?? []
            return ["\(plan.user)@\(host): Permission denied (\(methods.joined(separator: ",")))."]
        case .hostKeyChanged:
            let border = String(repeating: "@", count: 59)
            return [
                border, "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @", border,
                "Host key verification failed.",
            ]
        case .hostKeyUnknown:
            return ["Host key verification failed."]
        default:
            return nil
        }
    }

    /// The text of an errno, which starts with an upper-case letter.
    private static func sentence(_ number: CInt) -> String {
        let text = systemErrorText(number)
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
