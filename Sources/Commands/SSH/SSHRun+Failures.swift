import Core
import Glibc
import Services
import System

/// The sentences of ssh(1) for failures to connect, which programs that run ssh look for, such as ssh-copy-id and TRAMP.
extension SSHRun {
    /// Returns the lines that ssh prints; nil if ssh has none for the failure.
    func lines(for error: VTError) -> [String]? {
        guard let plan = plan.ssh else { return nil }
        let host = plan.endpoint.host
        switch error.code {
        case .hostUnresolved:
            guard let first = Self.firstEndpoint(of: plan) else { return nil }
            return ["ssh: Could not resolve hostname \(first.host): Name or service not known"]
        case .hostUnreachable:
            // After the connection was made, ssh's messages depend on how it was lost.
            guard let first = Self.firstEndpoint(of: plan), let reason = error.connectErrno else { return nil }
            return ["ssh: connect to host \(first.host) port \(first.port): \(Self.sentence(reason))"]
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

    /// The only server to which this machine connects itself: the first of the jump hosts, if there are any; nil if a
    /// program connects.
    private static func firstEndpoint(of plan: SSHPlan) -> Endpoint? {
        switch plan.route {
        case .direct: plan.endpoint
        case .jump(let hop): firstEndpoint(of: hop)
        case .proxyCommand: nil
        }
    }

    /// Returns the error with a hint that names options of ssh(1); without one if the user has just been asked.
    func hinted(_ error: VTError) -> VTError {
        var error = error
        switch error.code {
        case .hostKeyUnknown where hasAsked:
            error.hint = nil
        case .authDenied:
            // Other failures are those of a key that a profile requires.
            guard let methods = error.acceptedMethods else { return error }
            let couldAsk = plan.ssh?.prompter == nil && options.isBatch != true
            error.hint = error.keyFileHint ?? (hasAsked ? nil : Self.hint(methods, couldAsk: couldAsk))
        default:
            break
        }
        return error
    }

    /// `couldAsk` means that nothing was asked only because there is neither a terminal nor a program for it.
    private static func hint(_ methods: [String], couldAsk: Bool) -> String? {
        // A server that disconnects accepts no further method.
        guard !methods.isEmpty else {
            return "if the agent has many keys, specify the right one: -i FILE -o IdentitiesOnly=yes"
        }
        var ways: [String] = []
        if methods.contains("publickey") {
            ways.append("specify a private key with -i, or add it to an agent with ssh-add")
        }
        if couldAsk { ways.append("to be asked for a password or passphrase, use a terminal or set SSH_ASKPASS") }
        return ways.isEmpty ? nil : ways.joined(separator: "; ")
    }

    /// The text of an errno, which starts with an upper-case letter.
    private static func sentence(_ number: CInt) -> String {
        let text = systemErrorText(number)
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
