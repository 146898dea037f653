import Foundation
import TestSupport
import Testing

/// `vt ssh`, called by real programs that expect ssh(1).
@Suite(.crowded)
struct SSHCommandTests {
    /// A lab with `~/vt-ssh`, a link to vt, for programs that accept only the name of a program.
    private func lab(_ options: OpenSSHServer.Options = .init()) async throws -> Lab {
        let lab = try await Lab.met(options)
        try FileManager.default.createSymbolicLink(atPath: "\(lab.vt.home)/vt-ssh", withDestinationPath: TestTree.vt)
        return lab
    }

    private func check(_ lab: Lab, _ script: String, prints text: String) async throws {
        let result = try await lab.vt.bash(script)
        #expect(result.text == text, "\(result.errorText)")
    }

    // MARK: - Programs

    @Test func `git clones, even partially, which requires a variable on the server`() async throws {
        let lab = try await lab()
        let repository = "\(lab.server.home)/repo"
        let script = """
            set -e
            export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a
            git init -q \(repository) && cd \(repository)
            echo text >file && git add file && git commit -qm one
            git config uploadpack.allowFilter true
            cd; export GIT_SSH_COMMAND='vt ssh'
            git clone -q --filter=blob:none --no-checkout p:\(repository) copy
            git -C copy rev-list --objects --all --missing=print | grep -c '^?'
            git -C copy checkout -q && cat copy/file
            GIT_SSH=~/vt-ssh git ls-remote p:\(repository) HEAD | cut -f2
            """
        try await check(lab, script, prints: "1\ntext\nHEAD\n")
    }

    @Test func `rsync copies in both directions`() async throws {
        let lab = try await lab()
        let far = "\(lab.server.home)/far"
        let script = """
            cd && mkdir near && head -c 300000 /dev/urandom >near/a && echo b >'near/b c'
            rsync -a -e 'vt ssh' near/ p:\(far) && rsync -a -e ~/vt-ssh p:\(far)/ back && diff -r near back && echo same
            """
        try await check(lab, script, prints: "same\n")
    }

    @Test func `sftp and scp use a subsystem, or a command`() async throws {
        let lab = try await lab()
        let far = "\(lab.server.home)/far"
        let script = """
            cd
            head -c 300000 /dev/urandom >near
            echo "put near \(far)" | sftp -q -b - -S ~/vt-ssh p >/dev/null
            scp -q -S ~/vt-ssh p:\(far) new && cmp near new && echo new
            scp -q -O -S ~/vt-ssh p:\(far) old && cmp near old && echo old
            """
        try await check(lab, script, prints: "new\nold\n")
    }

    // MARK: - Running

    @Test func `joins the words, and exits with the status of the command`() async throws {
        let lab = try await lab()
        let words = ["echo", "a;", "cat;", "echo b >&2;", "exit 7"]
        let result = try await lab.vt.call(["ssh", "p", "--"] + words).run(input: [0, 255])
        #expect(result.output == Array("a\n".utf8) + [0, 255])
        #expect(result.errorText == "b\n")
        #expect(result.status == .exited(7))
        let linked = try await lab.vt.bash("~/vt-ssh -n -T p 'echo linked; cat'")
        #expect(linked.text == "linked\n", "\(linked.errorText)")
    }

    @Test(arguments: ["1m", "off"])
    func `starts the login shell without a command`(_ sharing: String) async throws {
        let lab = try await lab()
        try await lab.addProfile("q", ["--no-agent", "--share", sharing])
        let result = try await lab.vt.run("ssh", "-e", "none", "q", input: Array("echo $0; exit 3\n".utf8))
        #expect(result.text.hasPrefix("-"), "a login shell: \(result.text) \(result.errorText)")
        #expect(result.status == .exited(3))
    }

    @Test func `allocates a terminal with -tt, but with -t only if there is a local one`() async throws {
        let lab = try await lab()
        let forced = try await lab.vt.run("ssh", "-n", "-tt", "p", "tty -s && echo terminal")
        #expect(forced.text == "terminal\r\n", "\(forced.errorText)")
        let asked = try await lab.vt.run("ssh", "-t", "p", "tty -s || echo none")
        #expect(asked.text == "none\n")
        #expect(asked.errorText.contains("no terminal is allocated"))
    }

    @Test func `every failure exits with 255`() async throws {
        let lab = try await lab()
        try await lab.addProfile("down", port: LoopbackPort.free())
        let calls = [["down", "true"], ["-o", "ForwardAgent=yes", "p"], ["-L", "1:a", "p"], ["-s", "p"], []]
        for words in calls {
            let result = try await lab.vt.call(["ssh"] + words).run()
            #expect(result.status == .exited(255), "\(words)")
            #expect("\n\(result.errorText)".contains("\nvt: "), "\(result.errorText)")
        }
        let missing = try await lab.vt.run("ssh", "-s", "p", "no-such-subsystem")
        #expect(missing.status == .exited(255))
    }

    // MARK: - Resolution

    @Test func `finds hosts in the configuration of OpenSSH`() async throws {
        let lab = try await Lab()
        let far = """
            Host far
              HostName 127.0.0.1
              Port \(lab.server.port)
              IdentityFile \(lab.server.userKeys.path(.ed25519))
              ProxyJump box
            """
        try lab.configure(lab.box("IdentityFile ~/.ssh/missing", "SetEnv GIT_PROTOCOL=set") + far)
        #expect(try await lab.vt.check("ssh", "box", "echo $GIT_PROTOCOL") == "set\n")
        #expect(try await lab.vt.check("ssh", "\(lab.server.user)@far", "echo far") == "far\n")
        let settings = try await lab.vt.check("ssh", "-G", "-p", "99", "box").split(separator: "\n")
        for line in ["host box", "hostname 127.0.0.1", "port 99", "user \(lab.server.user)"] {
            #expect(settings.contains { $0 == line }, "\(line)")
        }
        let without = try await lab.vt.run("ssh", "-F", "none", "-o", "ConnectTimeout=5", "box", "true")
        #expect(without.status == .exited(255))
        #expect(without.errorText.contains("(host.unresolved)"))
    }

    @Test func `variables come from the first SetEnv and all SendEnv`() async throws {
        let lab = try await Lab.met(.init(lines: ["AcceptEnv A_*"]))
        let file = try lab.vt.writeElsewhere(lab.box("SetEnv A_SET=configured", "SendEnv A_SENT"), to: "config")
        let run = { (options: [String]) in
            let words = ["ssh", "-F", file] + options + ["box", "echo $A_SET $A_SENT $A_OTHER"]
            return try await lab.vt.call(words, environment: ["A_SENT": "sent", "A_OTHER": "other"]).check()
        }
        #expect(try await run([]) == "configured sent\n")
        #expect(
            try await run(["-oSetEnv=A_SET=given", "-oSetEnv=A_SET=late", "-oSendEnv=A_O*"]) == "given sent other\n"
        )
        // A minus removes names, but only those given before.
        #expect(try await run(["-oSendEnv=A_OTHER", "-oSendEnv=-A_*"]) == "configured sent\n")
    }

    @Test(arguments: [[], ["-L", "8080:localhost:80"]])
    func `-f without a command and without -N is refused before connecting`(_ options: [String]) async throws {
        let result = try await Vt().call(["ssh", "-f"] + options + ["name.invalid"]).run()
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("cannot fork into background without a command to execute"))
        #expect(!result.errorText.contains("name.invalid"))
    }

    @Test func `the hint for a key readable by others says how to make it private`() async throws {
        let lab = try await Lab.met()
        let key = try lab.vt.writeElsewhere("-----BEGIN OPENSSH PRIVATE KEY-----\n", to: "open")
        chmod(key, 0o644)
        let words = ["ssh", "-i", key, "-p", "\(lab.server.port)", "\(lab.server.user)@127.0.0.1", "true"]
        let result = try await lab.vt.call(words).run()
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("hint: make the file private: chmod 600 \(key)\n"), "\(result.errorText)")
    }

    @Test func `a terminal has the type in TERM, even if standard input is not a terminal`() async throws {
        let lab = try await Lab.met()
        let call = lab.vt.call(["ssh", "-tt", "p", "echo $TERM"], environment: ["TERM": "vt100"])
        #expect(try await call.check() == "vt100\r\n")
    }

    @Test func `-V names OpenSSH, on standard error`() async throws {
        let result = try await Vt().run("ssh", "-V")
        #expect(result.status == .exited(0))
        #expect(result.text.isEmpty && result.errorText.contains("OpenSSH"))
    }
}
