import Foundation
import TestSupport
import Testing

/// `vt exec` called with ssh(1) syntax.
@Suite(.crowded, .sharing)
struct SSHCallTests {
    /// A lab whose server accepts the key that vt tries by default.
    private func lab() async throws -> Lab {
        let lab = try await Lab.met()
        let key = lab.server.userKeys.path(.ed25519)
        try FileManager.default.createDirectory(atPath: "\(lab.vt.home)/.ssh", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: key, toPath: "\(lab.vt.home)/.ssh/id_ed25519")
        return lab
    }

    @Test func `a user before a profile overrides the profile's user`() async throws {
        let lab = try await Lab()
        let key = ["--identity", lab.server.userKeys.path(.ed25519), "--no-agent"]
        try await lab.vt.call(["profile", "add", "w", "nobody-here@127.0.0.1:\(lab.server.port)"] + key).check()
        let target = "\(lab.server.user)@w"
        #expect(try await lab.vt.check("exec", target, "id -un") == "\(lab.server.user)\n")
        #expect(try await lab.vt.run("profile", "test", target, "--json").json()["user"] as? String == lab.server.user)
        let home = try await lab.vt.bash(
            "git init -q --bare \(lab.server.home)/repo && GIT_SSH_COMMAND='vt exec' GIT_SSH_VARIANT=ssh "
                + "git clone -q \(target):\(lab.server.home)/repo ~/copy && echo cloned"
        )
        #expect(home.text == "cloned\n", "\(home.errorText)")
    }

    static let calls = [
        ["-oConnectTimeout=10", "-T", "-l", "USER", "-p", "PORT", "--", "HOST", "echo", "ok"],
        [
            "-x", "-a", "-C", "-4", "-q", "-oClearAllForwardings=yes", "-p", "PORT", "USER@HOST", "-e", "none",
            "echo ok",
        ],
        ["-oForwardX11=no", "-oForwardAgent=no", "-o", "Port PORT", "-l", "USER", "--", "HOST", "echo ok"],
        ["-o", "ControlMaster=auto", "-o", "ControlPersist=60s", "-oUser=USER", "-oPort=PORT", "x@HOST", "echo ok"],
        ["-o", "HostName=HOST", "-p", "PORT", "USER@elsewhere.invalid", "echo ok"],
        ["-o", "SetEnv=WORD=ok", "-p", "PORT", "USER@HOST", "echo $WORD"],
    ]

    @Test(arguments: calls)
    func `accepts ssh command lines`(_ words: [String]) async throws {
        let lab = try await lab()
        let filled = words.map { word in
            word.replacingOccurrences(of: "USER", with: lab.server.user)
                .replacingOccurrences(of: "PORT", with: "\(lab.server.port)")
                .replacingOccurrences(of: "HOST", with: "127.0.0.1")
        }
        let result = try await lab.vt.call(["exec"] + filled).run()
        #expect(result.text == "ok\n", "\(result.errorText)")
    }

    @Test func `accepts -t once or twice, and -n`() async throws {
        let lab = try await lab()
        let result = try await lab.vt.run("exec", "-n", "-tt", "p", "tty -s && echo terminal")
        #expect(result.text == "terminal\r\n", "\(result.errorText)")
        let option = try await lab.vt.run("exec", "-oRequestTTY=force", "-oStdinNull=yes", "p", "tty -s && echo yes")
        #expect(option.text == "yes\r\n", "\(option.errorText)")
    }

    @Test func `uses only addresses of the requested family`() async throws {
        let lab = try await lab()
        #expect(try await lab.vt.run("exec", "-4", "p", "echo ok").text == "ok\n")
        let result = try await lab.vt.run("exec", "-6", "p", "echo ok")
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("(host.unresolved)"))
    }

    @Test(arguments: [
        ("ForwardAgent=yes", "ForwardAgent=yes"), ("LocalForward=1 h:2", "vt ssh"), ("SessionType=none", "vt ssh"),
        ("ForkAfterAuthentication=yes", "vt ssh"),
    ])
    func `rejects ssh options that would change the meaning of the call`(option: String, names: String) async throws {
        let lab = try await lab()
        let result = try await lab.vt.run("exec", "-o", option, "p", "true")
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains(names) && result.errorText.contains("(usage)"))
    }

    // MARK: - Streams and exits

    @Test(arguments: [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
    func `an initially closed stream does not change the exit status`(_ redirection: String) async throws {
        let lab = try await lab()
        let result = try await lab.vt.bash("vt exec p 'echo x; echo y >&2; exit 2' \(redirection); echo \"ended=$?\"")
        #expect(result.text.hasSuffix("ended=2\n"), "\(result.text) \(result.errorText)")
    }

    @Test func `vt exec with many targets dies silently of SIGPIPE when its reader exits`() async throws {
        let lab = try await lab()
        let names = (1...16).map { "t\($0)" }
        for name in names { try await lab.addProfile(name) }
        let line = "vt exec \(names.joined(separator: ",")) 'yes' | head -3 >/dev/null; echo \"${PIPESTATUS[0]}\""
        let result = try await lab.vt.bash(line)
        #expect(result.text == "141\n")
        #expect(result.errors.isEmpty, "\(result.errorText)")
    }

    @Test func `the error message contains the error code`() async throws {
        let lab = try await lab()
        try await lab.addProfile("down", port: LoopbackPort.free())
        #expect(try await lab.vt.run("exec", "down", "true").errorText.contains("(host.unreachable)\n"))
        #expect(try await lab.vt.run("exec", "p,down", "true").errorText.contains("(host.unreachable)\n"))
    }

    @Test func `accepts an address instead of a profile before the name of a session`() async throws {
        let lab = try await lab()
        try lab.linkVt()
        let address = "\(lab.server.user)@127.0.0.1:\(lab.server.port)"
        try await lab.vt.check("sessions", "create", "\(address):build", "--", "echo", "made")
        try await lab.vt.check("sessions", "wait", "ssh://\(address)/build", "--exit")
        #expect(try await lab.vt.check("sessions", "logs", "\(address):build") == "made\r\n")
        #expect(try await lab.vt.check("sessions", "list", address, "--state", "exited").contains("build"))
        #expect(try await lab.vt.run("attach", "ssh://\(address)/build").status == .exited(0))
        #expect(try await lab.vt.check("sessions", "logs", "\(lab.server.user)@p:build") == "made\r\n")
    }

    @Test(arguments: ["off", "60s"])
    func `failures start with the sentence that ssh prints`(_ share: String) async throws {
        let lab = try await Lab()
        let other = try await KeyRing()
        let port = try LoopbackPort.free()
        let user = lab.server.user
        let known = "-o StrictHostKeyChecking=accept-new"
        let calls = [
            ("-p \(port) \(user)@127.0.0.1", "ssh: connect to host 127.0.0.1 port \(port): Connection refused"),
            ("name.invalid", "ssh: Could not resolve hostname name.invalid: "),
            ("-J jump.invalid a@name.example", "ssh: Could not resolve hostname jump.invalid: "),
            (
                "-J 127.0.0.1:\(port),jump.invalid name.example",
                "ssh: connect to host 127.0.0.1 port \(port): Connection refused"
            ),
            ("-p \(lab.server.port) -o StrictHostKeyChecking=yes \(user)@127.0.0.1", "Host key verification failed."),
            (
                "-p \(lab.server.port) \(known) -i \(other.path(.ed25519)) -o IdentitiesOnly=yes \(user)@127.0.0.1",
                "\(user)@127.0.0.1: Permission denied (publickey)."
            ),
        ]
        for (words, sentence) in calls {
            let result = try await lab.vt.bash("VT_SHARE=\(share) vt ssh \(words) true")
            #expect(result.status == .exited(255))
            #expect("\n\(result.errorText)".contains("\n\(sentence)"), "\(result.errorText)")
            #expect(result.errorText.contains("\nvt: "))
            #expect(try await !lab.vt.bash("vt ssh -q \(words) true").errorText.contains(sentence))
        }
        let entry = try other.publicLine(.ed25519)
        try lab.vt.write("[127.0.0.1]:\(lab.server.port) \(entry)\n", to: "known_hosts")
        let changed = try await lab.vt.bash("VT_SHARE=\(share) vt ssh -p \(lab.server.port) \(user)@127.0.0.1 true")
        #expect(changed.errorText.contains("WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!"))
        #expect(changed.errorText.contains("\nHost key verification failed.\nvt: "))
    }
}
