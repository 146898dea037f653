import Core
import Testing

@testable import SecureShell

struct AuthenticationLogTests {
    private func log(_ skippedReasons: [VTError] = []) -> AuthenticationLog {
        AuthenticationLog(server: "web", user: "me", skippedReasons: skippedReasons)
    }

    @Test func `without credentials, the hint depends on the methods of the server`() {
        #expect(log().denial(methods: ["publickey"]).message == "no usable credentials for user 'me' on 'web'")
        #expect(log().denial(methods: ["publickey"]).hint == "specify a private key with --identity")
        let hint = "provide the password with --password-command, --password-env or --password-file"
        #expect(log().denial(methods: ["password"]).hint == hint)
    }

    @Test func `the reasons for skipped keys are in the message, or among the causes if a key was tried`() {
        var log = log([VTError(.authDenied, "the agent is locked", hint: "unlock it")])
        let denial = log.denial(methods: ["publickey"])
        #expect(denial.message == "no usable credentials for user 'me' on 'web': the agent is locked")
        #expect(denial.hint == "unlock it")
        #expect(denial.causes == ["the server accepts publickey"])
        log.add(.publicKey, "publickey /key", wasAccepted: false)
        let further = log.denial(methods: ["publickey"])
        #expect(further.message == "'web' rejected user 'me' (tried publickey /key)")
        #expect(further.causes == ["the server accepts publickey", "the agent is locked"])
    }

    @Test func `the hint for a key readable by others is kept, even if another key was tried`() {
        let reason = VTError(.config, "private key '/key' is readable by other users", hint: "chmod 600 /key")
        var log = log([VTError(.authDenied, "the agent is locked", hint: "unlock it"), reason])
        log.add(.publicKey, "publickey /other", wasAccepted: false)
        #expect(log.denial(methods: ["publickey"]).keyFileHint == "chmod 600 /key")
        #expect(self.log().denial(methods: ["publickey"]).keyFileHint == nil)
    }

    @Test func `a rejected key does not hide that another key was accepted`() {
        var log = log()
        log.add(.publicKey, "publickey /a", wasAccepted: false)
        log.add(.publicKey, "publickey /b", wasAccepted: true)
        let denial = log.denial(methods: ["keyboard-interactive"])
        let wish = "requires another method: keyboard-interactive"
        #expect(denial.message == "'web' accepted publickey /b for user 'me' and \(wish)")
        #expect(denial.hint == "provide the password with --password-command, --password-env or --password-file")
    }
}
