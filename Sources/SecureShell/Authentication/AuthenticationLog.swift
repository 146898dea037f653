import Core

/// The authentication attempts made on a server, and the error if all of them failed.
struct AuthenticationLog {
    /// The authentication methods that the error distinguishes (RFC 4252, RFC 4256).
    enum Method {
        case publicKey, password
    }

    private struct Attempt {
        var method: Method
        var label: String
        /// Whether the server accepted the attempt but requires another method.
        var wasAccepted = false
    }

    /// The server's name in messages.
    let server: String
    let user: String
    /// The reasons why some credentials could not be used.
    var skippedReasons: [VTError]
    private var attempts: [Attempt] = []
    /// Whether the server asked a question that the password does not answer.
    private var askedFurther = false

    init(server: String, user: String, skippedReasons: [VTError]) {
        self.server = server
        self.user = user
        self.skippedReasons = skippedReasons
    }

    var isEmpty: Bool { attempts.isEmpty }

    /// The number of attempts after which the server required another method.
    var partialSuccesses: Int { attempts.count(where: \.wasAccepted) }

    /// Records an attempt with keyboard-interactive; `question` is one that was not answered.
    mutating func addKeyboard(asking question: String?, wasAccepted: Bool) {
        askedFurther = askedFurther || question != nil
        let suffix = question.map { ", where it also asked '\($0)'" } ?? ""
        add(.password, "keyboard-interactive\(suffix)", wasAccepted: wasAccepted)
    }

    /// Records an attempt that did not complete authentication; `wasAccepted` if it was a partial success.
    mutating func add(_ method: Method, _ label: String, wasAccepted: Bool) {
        attempts.append(Attempt(method: method, label: label, wasAccepted: wasAccepted))
    }

    /// Returns the error to report after all attempts have failed; `methods` are the methods that the server still
    /// accepts.
    func denial(methods: [String]) -> VTError {
        var error = VTError(
            .authDenied,
            denialMessage(methods),
            hint: denialHint(methods),
            causes: ["the server accepts \(methods.isEmpty ? "no other method" : methods.joined(separator: ", "))"]
                + (saysReasons ? [] : skippedReasons.map(\.message))
        )
        error.acceptedMethods = methods
        // That is a key readable by others.
        error.keyFileHint = skippedReasons.first { $0.code == .config }?.hint
        return error
    }

    private func denialMessage(_ methods: [String]) -> String {
        let accepted = attempts.filter(\.wasAccepted).map(\.label)
        let refused = attempts.filter { !$0.wasAccepted }
        guard accepted.isEmpty else {
            let start = "'\(server)' accepted \(accepted.joined(separator: ", ")) for user '\(user)'"
            let further = refused.filter { $0.method == .password }.map(\.label)
            return further.isEmpty
                ? "\(start) and requires another method: \(methods.joined(separator: ", "))"
                : "\(start), but rejected \(further.joined(separator: ", "))"
        }
        let reasons = saysReasons ? skippedReasons.map(\.message) : []
        let message =
            refused.isEmpty
            ? "no usable credentials for user '\(user)' on '\(server)'"
            : "'\(server)' rejected user '\(user)' (tried \(refused.map(\.label).joined(separator: ", ")))"
        return reasons.isEmpty ? message : "\(message): \(reasons.joined(separator: "; "))"
    }

    /// Whether the message of the error says why credentials were skipped.
    private var saysReasons: Bool {
        !tried(.publicKey) && !attempts.contains(where: \.wasAccepted)
    }

    private func denialHint(_ methods: [String]) -> String? {
        let takesPassword = methods.contains("password") || methods.contains("keyboard-interactive")
        let password = "provide the password with --password-command, --password-env or --password-file"
        if attempts.contains(where: \.wasAccepted) { return takesPassword && !tried(.password) ? password : nil }
        if !tried(.publicKey), methods.contains("publickey") {
            return skippedReasons.lazy.compactMap(\.hint).first ?? "specify a private key with --identity"
        }
        if askedFurther { return "questions other than the one for the password are asked only by 'vt ssh'" }
        if tried(.password) { return nil }
        return methods.contains("publickey")
            ? "add a public key to ~/.ssh/authorized_keys on the server, or specify another key with --identity"
            : password
    }

    private func tried(_ method: Method) -> Bool {
        attempts.contains { $0.method == method }
    }

    /// Returns the error for a server that disconnects, usually after too many attempts (MaxAuthTries, sshd_config(5)).
    func brokenOff(causes: [String]) -> VTError {
        var error = VTError(
            .authDenied,
            "'\(server)' rejected user '\(user)' and disconnected "
                + "(tried \(attempts.map(\.label).joined(separator: ", ")))",
            hint: "if the agent has many keys, specify the right one: --identity FILE --option IdentitiesOnly=yes",
            causes: causes
        )
        error.acceptedMethods = []
        return error
    }
}
