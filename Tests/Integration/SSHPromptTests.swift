import Foundation
import TestSupport
import Testing

/// `vt ssh` asks for what it lacks, on the terminal or with the program that SSH_ASKPASS names.
@Suite(.crowded)
struct SSHPromptTests {
    /// A server with its user's password, and a vt without keys.
    private struct PasswordLab {
        let server: AsyncSSHServer
        let vt: Vt
        /// The words before the command.
        let words: String
        let askpass: String

        init(_ steps: [[String]]) async throws {
            server = try await AsyncSSHServer(.init(steps: steps))
            vt = try Vt(sharesConnections: true)
            words = "ssh -p \(server.port) tester@127.0.0.1"
            let script = "#!/bin/sh\nprintf '%s\\n' \"$1\" >>~/asked\nprintf '%s\\n' \"$ANSWER\"\n"
            askpass = try vt.writeElsewhere(script, to: "askpass", mode: 0o755)
        }

        /// Runs a line of bash with SSH_ASKPASS.
        func asking(
            _ line: String,
            answer: String = "correct horse",
            share: String = "off"
        ) async throws -> ProgramResult {
            let variables = "export SSH_ASKPASS_REQUIRE=force SSH_ASKPASS=\(askpass) VT_SHARE=\(share)"
            return try await vt.bash("\(variables); ANSWER=\"$1\"; export ANSWER; \(line)", answer)
        }

        var asked: [String] {
            let text = (try? String(contentsOfFile: "\(vt.home)/asked", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }
    }

    @Test(arguments: ["password", "keyboard-interactive"], ["off", "1m"])
    func `sshpass types the password`(_ method: String, _ sharing: String) async throws {
        let lab = try await PasswordLab([[method]])
        let result = try await lab.vt.bash("VT_SHARE=\(sharing) sshpass -p 'correct horse' vt \(lab.words) 'echo in'")
        #expect(result.text == "in\n", "\(result.errorText)")
        let wrong = try await lab.vt.bash("VT_SHARE=\(sharing) sshpass -p wrong vt \(lab.words) 'echo in'")
        #expect(wrong.status == .exited(5), "\(wrong.errorText)")
    }

    @Test(arguments: [
        ("password", "tester@127.0.0.1's password: "), ("keyboard-interactive", "(tester@127.0.0.1) Password: "),
    ])
    func `SSH_ASKPASS gets the prompts of ssh`(_ method: String, _ prompt: String) async throws {
        let lab = try await PasswordLab([[method]])
        let result = try await lab.asking("vt \(lab.words) 'echo in'")
        #expect(result.text == "in\n", "\(result.errorText)")
        #expect(lab.asked == [prompt])
    }

    @Test func `asks for each method of a server that requires two`() async throws {
        let lab = try await PasswordLab([["password"], ["keyboard-interactive"]])
        let result = try await lab.asking("vt \(lab.words) 'echo in'")
        #expect(result.text == "in\n", "\(result.errorText)")
        #expect(lab.asked == ["tester@127.0.0.1's password: ", "(tester@127.0.0.1) Password: "])
    }

    @Test(arguments: [(nil, 3), (1, 1)])
    func `asks again after a wrong password, up to NumberOfPasswordPrompts`(_ given: Int?, _ count: Int) async throws {
        let lab = try await PasswordLab([["password"]])
        let option = given.map { "-o NumberOfPasswordPrompts=\($0)" } ?? ""
        let result = try await lab.asking("vt \(lab.words) \(option) 'echo in'", answer: "wrong")
        #expect(result.status == .exited(255))
        #expect(lab.asked.count == count)
        let lines = result.errorText.split(separator: "\n")
        #expect(lines.count { $0 == "Permission denied, please try again." } == count - 1)
        #expect(lines.contains("tester@127.0.0.1: Permission denied (password)."))
    }

    @Test func `does not ask with BatchMode, SSH_ASKPASS_REQUIRE=never or without a terminal and display`() async throws
    {
        let lab = try await PasswordLab([["password"]])
        let file = "\(lab.vt.home)/batch"
        try "BatchMode yes\n".write(toFile: file, atomically: true, encoding: .utf8)
        for setting in ["-o BatchMode=yes", "-o PasswordAuthentication=no", "-F \(file)"] {
            #expect(try await lab.asking("vt \(lab.words) \(setting) true").status == .exited(255))
        }
        let start = "export SSH_ASKPASS=\(lab.askpass) ANSWER='correct horse';"
        let line = "setsid -w vt \(lab.words) true"
        #expect(try await lab.vt.bash("\(start) \(line)").status == .exited(255))
        #expect(
            try await lab.vt.bash("\(start) DISPLAY=:9 SSH_ASKPASS_REQUIRE=never \(line)").status == .exited(255)
        )
        #expect(lab.asked.isEmpty)
        #expect(try await lab.vt.bash("\(start) DISPLAY=:9 \(line)").status == .exited(0))
        #expect(lab.asked.count == 1)
    }

    @Test func `other commands do not use a connection for which the user was asked`() async throws {
        let lab = try await PasswordLab([["password"]])
        let script = """
            cd; mkfifo hold; vt \(lab.words) 'echo one; cat' <hold >out & exec 3>hold
            until grep -q one out; do sleep 0.05; done
            vt \(lab.words) -o BatchMode=yes 'echo two' || echo $?
            vt \(lab.words) 'echo three'
            exec 3>&-; wait; cat out
            """
        let result = try await lab.asking(script, share: "1m")
        #expect(result.text == "255\nthree\none\n", "\(result.errorText)")
        #expect(lab.asked.count == 2)
    }

    @Test func `asks for the passphrase of a key that the server accepts`() async throws {
        let lab = try await Lab()
        let key = lab.server.userKeys.path(.encrypted)
        let program = "#!/bin/sh\necho \"$1\" >&2\necho '\(KeyRing.passphrase)'\n"
        let askpass = try lab.vt.writeElsewhere(program, to: "ask", mode: 0o755)
        let words = "vt ssh -p \(lab.server.port) -i \(key) \(lab.server.user)@127.0.0.1 'echo in'"
        let script = "SSH_ASKPASS_REQUIRE=force SSH_ASKPASS=\(askpass) \(words)"
        let result = try await lab.vt.bash(script)
        #expect(result.text == "in\n")
        #expect(result.errorText.contains("Enter passphrase for key '\(key)': \n"), "\(result.errorText)")
    }

    @Test func `with StrictHostKeyChecking=ask, asks about the key of an unknown host`() async throws {
        let lab = try await Lab()
        let key = "-i \(lab.server.userKeys.path(.ed25519))"
        let ask = "-o StrictHostKeyChecking=ask -o UserKnownHostsFile=\(lab.vt.home)/known"
        let words = "vt ssh -p \(lab.server.port) \(key) \(ask) \(lab.server.user)@127.0.0.1 'echo in'"
        let file = "\(lab.vt.home)/answer"
        let script = """
            printf '#!/bin/sh\\necho "$1" >&2\\ncat \(file)\\n' >~/ask && chmod +x ~/ask
            export SSH_ASKPASS_REQUIRE=force SSH_ASKPASS=~/ask
            echo no >\(file); \(words); echo $?
            echo yes >\(file); \(words); echo $?
            export SSH_ASKPASS=/bin/false; \(words); echo $?
            """
        let result = try await lab.vt.bash(script)
        #expect(result.text == "255\nin\n0\nin\n0\n", "\(result.errorText)")
        let question = "Are you sure you want to continue connecting (yes/no/[fingerprint])? \n"
        #expect(result.errorText.contains(question))
        #expect(result.errorText.contains("\nHost key verification failed.\n"))
    }

    @Test func `with -f, asks before it continues in the background, where it outlives the terminal`() async throws {
        let lab = try await PasswordLab([["password"]])
        let window = try await TerminalWindow(columns: 100, rows: 24, environment: lab.vt.environment)
        let (file, go) = ("\(lab.vt.home)/output", "\(lab.vt.home)/go")
        let command = "until [ -e \(go) ]; do sleep 0.05; done; echo in"
        try await window.enter("vt \(lab.words) -f '\(command)' >\(file); echo status=$?")
        try await window.wait(for: "password:")
        try await window.press("C-z")
        try await window.wait(for: "Stopped")
        try await window.enter("fg; stty -a | grep -o '.echo '; echo 'en'd")
        try await window.wait { $0.components(separatedBy: "password:").count == 3 }
        try await window.enter("correct horse")
        try await window.wait(for: "end")
        let lines = try await window.screen().split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.contains("echo"))
        try await window.close()
        #expect(FileManager.default.createFile(atPath: go, contents: nil))
        #expect(await eventually { (try? String(contentsOfFile: file, encoding: .utf8)) == "in\n" })
        #expect(await eventually { lab.vt.processes.isEmpty })
    }

    @Test func `sshpass types the password with -f, and a wrong password leaves no process`() async throws {
        let lab = try await PasswordLab([["password"]])
        let result = try await lab.vt.bash("sshpass -p 'correct horse' vt \(lab.words) -f 'echo in' | cat")
        #expect(result.text == "in\n", "\(result.errorText)")
        #expect(await eventually { lab.vt.processes.isEmpty })
        let wrong = try await lab.vt.bash("sshpass -p wrong vt \(lab.words) -f 'echo in'")
        #expect(wrong.status == .exited(5), "\(wrong.errorText)")
        let once = "sshpass -p wrong vt \(lab.words) -o NumberOfPasswordPrompts=1 -f 'echo in'"
        #expect(try await lab.vt.bash(once).status == .exited(255))
        #expect(await eventually { lab.vt.processes.isEmpty })
    }

    @Test func `the terminal is in its usual mode until the password has been accepted`() async throws {
        let lab = try await PasswordLab([["password"]])
        let window = try await TerminalWindow(columns: 100, rows: 24, environment: lab.vt.environment)
        try await window.enter("vt \(lab.words) -t 'echo in; sleep 1000'")
        try await window.wait(for: "password:")
        try await window.enter("wrong")
        try await window.wait { $0.components(separatedBy: "password:").count == 3 }
        try await window.enter("correct horse")
        try await window.wait { $0.contains("\nin\n") }
        #expect(try await window.screen().contains("\nPermission denied, please try again.\n"))
    }

    @Test func `messages about a failed login go to the file of -E, and nowhere with -q`() async throws {
        let lab = try await PasswordLab([["password"]])
        let log = "\(lab.vt.home)/log"
        let logged = try await lab.asking("vt \(lab.words) -E \(log) true", answer: "wrong")
        #expect(logged.status == .exited(255) && logged.errorText.isEmpty, "\(logged.errorText)")
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        let again = "Permission denied, please try again."
        // The new host key is noted before or after the first question.
        let answers = lines.filter { !$0.hasPrefix("vt: ") }
        #expect(answers.prefix(3) == [again[...], again[...], "tester@127.0.0.1: Permission denied (password)."])
        // There is no hint, because the user has just typed a password.
        #expect(!lines.contains { $0.hasPrefix("hint: ") })
        for option in ["-q", "-o LogLevel=QUIET", "-q -E \(log)2"] {
            let quiet = try await lab.asking("vt \(lab.words) \(option) true; cat \(log)2", answer: "wrong")
            #expect(!quiet.errorText.contains("denied") && quiet.text.isEmpty, "\(quiet.errorText)")
        }
        let fatal = try await lab.asking("vt \(lab.words) -o LogLevel=ERROR true", answer: "wrong")
        #expect(fatal.errorText.contains("tester@127.0.0.1: Permission denied (password).\n"))
    }

    @Test func `hints name options of ssh`() async throws {
        let lab = try await PasswordLab([["publickey"], ["password"]])
        let result = try await lab.vt.bash("setsid -w vt \(lab.words) true")
        let hint = "hint: specify a private key with -i, or add it to an agent with ssh-add; "
        #expect(result.errorText.contains(hint), "\(result.errorText)")
    }

    @Test(arguments: ["C-c", "C-\\"], ["", "-f"])
    func `restores the terminal if a signal ends the question`(_ key: String, _ option: String) async throws {
        let lab = try await PasswordLab([["password"]])
        let window = try await TerminalWindow(columns: 100, rows: 24, environment: lab.vt.environment)
        try await window.enter("vt \(lab.words) \(option) true; stty -a | grep -o '.echo '")
        try await window.wait(for: "password:")
        try await window.type("secret")
        try await window.press(key)
        // Until vt has handled the signal, a line would be the password.
        try await window.wait { $0.split(separator: "\n").last { !$0.allSatisfy(\.isWhitespace) }?.first == "$" }
        try await window.enter("stty -a | grep -o '.echo '; echo 'en'd")
        try await window.wait(for: "end")
        let screen = try await window.screen()
        #expect(!screen.contains("-echo") && !screen.contains("secret"), "\(screen)")
    }

    @Test func `asks on the terminal again after a suspension, and then starts the login shell`() async throws {
        let lab = try await PasswordLab([["keyboard-interactive"]])
        let window = try await TerminalWindow(columns: 100, rows: 24, environment: lab.vt.environment)
        try await window.enter("vt \(lab.words) 'echo in; stty' </dev/null")
        try await window.wait(for: "(tester@127.0.0.1) Password:")
        try await window.press("C-z")
        try await window.wait(for: "Stopped")
        try await window.enter("fg; echo status=$?")
        try await window.wait { $0.components(separatedBy: "(tester@127.0.0.1) Password:").count == 3 }
        try await window.enter("correct horse")
        try await window.wait { $0.contains("\nin\n") }
    }
}
