import Foundation
import TestSupport
import Testing

/// Broken servers and connections, local errors and timeouts: a call fails in time, with the appropriate code.
@Suite(.crowded)
struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [FaultServer.Step]
        var classes: Set<String>

        init(_ description: String, _ classes: Set<String>, _ steps: [FaultServer.Step]) {
            testDescription = description
            self.steps = steps
            self.classes = classes
        }
    }

    static let identification = FaultServer.Step.send("SSH-2.0-Fault_1\r\n")
    static let faults = [
        Fault("no identification", ["host.unreachable"], [.hold]),
        Fault(
            "endless lines before the identification",
            ["protocol", "host.unreachable"],
            [.sendForever("hello\r\n")]
        ),
        Fault("an endless line", ["protocol", "host.unreachable"], [.sendForever("hello")]),
        Fault("an endless identification", ["protocol", "host.unreachable"], [.send("SSH-2.0-"), .sendForever("x")]),
        Fault("garbage", ["protocol"], [.sendForever(noise(4096))]),
        Fault("another protocol", ["host.unreachable", "protocol"], [.send("HTTP/1.1 400 Bad Request\r\n\r\n")]),
        Fault("SSH protocol 1", ["protocol"], [.send("SSH-1.5-Old\r\n"), .hold]),
        Fault("closed at once", ["host.unreachable", "protocol"], []),
        Fault("closed after the identification", ["host.unreachable", "protocol"], [identification, .receive]),
        Fault("silent after the identification", ["host.unreachable"], [identification, .hold]),
        Fault(
            "a huge packet",
            ["protocol", "host.unreachable"],
            [identification, .send([0x7f, 0xff, 0xff, 0xff]), .sendForever([UInt8](repeating: 20, count: 4096))]
        ),
        Fault(
            "garbage after the identification",
            ["protocol", "host.unreachable"],
            [identification, .sendForever(noise(4096))]
        ),
    ]

    /// A vt with a profile `p` for a loopback port.
    private func vt(_ port: UInt16) async throws -> Vt {
        let vt = try Vt()
        let key = try await KeyRing.user().path(.ed25519)
        try await vt.check("profile", "add", "p", "x@127.0.0.1:\(port)", "--identity", key, "--no-agent")
        return vt
    }

    @Test(arguments: faults)
    func `detects a broken server within the deadline`(_ fault: Fault) async throws {
        let server = try FaultServer(fault.steps)
        let vt = try await vt(server.port)
        let result = try await vt.run("--json", "exec", "--connect-timeout", "1s", "p", "true", deadline: .seconds(30))
        #expect(result.status == .exited(255))
        let code = try result.jsonError()["code"] as? String
        #expect(fault.classes.contains(code ?? ""), "\(result.errorText)")
        #expect(result.duration < .seconds(15))
    }

    @Test func `connecting to a port that never responds fails after the connect timeout`() async throws {
        let hole = try BlackHole()
        let vt = try await vt(hole.port)
        let result = try await vt.run("--json", "exec", "--connect-timeout", "1s", "p", "true", deadline: .seconds(30))
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "host.unreachable")
        #expect(result.duration >= .seconds(1))
        #expect(result.duration < .seconds(10))
    }

    @Test func `a server that refuses the connection is reported as unreachable`() async throws {
        let vt = try await vt(LoopbackPort.free())
        let result = try await vt.run("--json", "exec", "p", "true")
        #expect(try result.jsonError()["code"] as? String == "host.unreachable")
        #expect(try await vt.run("profile", "test", "p").status == .exited(69))
    }

    @Test func `a host name without an address is reported as unresolved`() async throws {
        let vt = try Vt()
        let result = try await vt.run("--json", "exec", "x@no-such-host.invalid", "true")
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "host.unresolved")
        try await vt.check("profile", "add", "p", "x@no-such-host.invalid")
        #expect(try await vt.run("profile", "test", "p").status == .exited(68))
    }

    @Test func `running out of file descriptors is reported as a local error`() async throws {
        let lab = try await Lab.met()
        let names = (1...20).map { "t\($0)" }
        for name in names { try await lab.addProfile(name) }
        let line = "ulimit -n 20; vt --json exec \(names.joined(separator: ",")) 'sleep 1'"
        let result = try await lab.vt.bash(line)
        #expect(result.status == .exited(1))
        let codes = try result.jsonLines().compactMap { ($0["error"] as? [String: any Sendable])?["code"] as? String }
        #expect(Set(codes) == ["system"])
    }

    /// The descriptors may run out before the event loop exists, because the caller passed some of its own.
    @Test func `running out of file descriptors because of inherited ones is reported as a local error`() async throws {
        let lab = try await Lab.met()
        for inherited in 3...18 {
            let result = try await lab.vt.bash(
                "ulimit -n 20; for i in {3..\(inherited)}; do eval \"exec $i</dev/null\"; done; vt --json exec p true"
            )
            #expect([.exited(0), .exited(255)].contains(result.status), "\(inherited): \(result.errorText)")
            guard result.status != .exited(0) else { continue }
            #expect(try result.jsonError()["code"] as? String == "system")
        }
    }

    /// The user's limit counts threads; root is exempt from it.
    @Test(.asRoot) func `a thread that cannot be started is reported as a local error`() async throws {
        let vt = try Vt()
        let file = try vt.writeElsewhere("contents\n", to: "file")
        let access = ["--clear-groups", "--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
        for limit in 1...8 {
            // Without processes of other tests, and not counting the threads of earlier runs.
            let user = ["setpriv", "--reuid", "\(UInt32.random(in: 1_000_000_000...2_000_000_000))"] + access
            let words = ["--nproc=\(limit)"] + user + [TestTree.vt, "--json", "cat", "local:\(file)"]
            let call = ProgramCall("prlimit", words, environment: vt.environment)
            let result = try await call.run(deadline: .seconds(20))
            if limit == 1 { #expect(result.status == .exited(71)) }
            if limit == 8 { #expect(result.text == "contents\n") }
            guard result.status != .exited(0) else { continue }
            #expect(result.status == .exited(71), "\(limit): \(result.errorText)")
            #expect(try result.jsonError()["code"] as? String == "system")
        }
    }

    @Test(arguments: ["p:$1/big copy", "big p:$1/copy", "p:$1/big p:$1/copy"])
    func `a copy that runs out of file descriptors reports it`(operands: String) async throws {
        let lab = try await Lab.met(sharesConnections: false)
        let script = """
            cd $HOME; head -c 20000000 /dev/zero | tee big >$1/big
            for n in 10 11 12 13 14 15 16 18 20; do
                (ulimit -n $n; vt copy \(operands) >/dev/null 2>error)
                case $? in 0|1|69|71|73|74) ;; *) echo "$n: $?"; cat error ;; esac
            done
            """
        let result = try await lab.vt.bash(script, lab.server.home)
        #expect(result.text == "")
    }

    @Test func `a copy opens only as many connections as there are file descriptors for`() async throws {
        let lab = try await Lab.met(sharesConnections: false)
        let script = """
            cd $HOME; head -c 300000000 /dev/zero | tr '\\0' x >big
            for n in {18..32..2}; do
                (ulimit -n $n; vt copy --connections 16 big p:$1/copy >/dev/null && cmp big $1/copy || echo "$n: $?")
            done
            """
        let result = try await lab.vt.bash(script, lab.server.home)
        #expect(result.text == "", "\(result.errorText)")
    }

    @Test func `a profile that does not exist is reported as not found`() async throws {
        let vt = try Vt()
        let result = try await vt.run("--json", "exec", "nobody-knows", "true")
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "not-found")
    }

    @Test func `reports the lost connection if the server is killed, and runs the command only once`() async throws {
        let lab = try await Lab()
        let running = try lab.vt.start("--json", "exec", "p", "echo x >>\(lab.server.home)/runs; cat /dev/zero")
        _ = await running.output.read(atLeast: 1000)
        lab.server.signal(SIGKILL)
        async let rest = running.output.readToEnd()
        async let errors = running.errors.readToEnd()
        #expect(try await running.wait(deadline: .seconds(30)) == .exited(255))
        _ = await rest
        #expect(String(decoding: await errors, as: UTF8.self).contains("host.unreachable"))
        #expect(try String(contentsOfFile: "\(lab.server.home)/runs", encoding: .utf8) == "x\n")
    }

    @Test func `delivers output received before the connection was lost`() async throws {
        let lab = try await Lab()
        let running = try lab.vt.start(
            "exec",
            "p",
            "head -c 600000 /dev/zero; echo first >&2; read x; echo second >&2; read x; kill -KILL $PPID"
        )
        // The reply to later input shows that all previous output has arrived.
        for word in ["first", "second"] {
            try await running.errors.read(until: "\(word)\n")
            try running.input.write("\n")
        }
        #expect(await eventually { lab.server.processes.count == 1 })
        #expect(await running.output.readToEnd().count == 600_000)
        #expect(try await running.wait() == .exited(255))
    }

    @Test func `exits with 255 if the connection is closed`() async throws {
        let lab = try await Lab()
        let relay = try Relay(to: lab.server.port)
        try await lab.addProfile("r", port: relay.port)
        let running = try lab.vt.start("exec", "r", "echo in; sleep 1000")
        try await running.output.read(until: "in\n")
        relay.cut()
        #expect(try await running.wait(deadline: .seconds(20)) == .exited(255))
    }

    @Test func `keep-alives detect a server that no longer responds`() async throws {
        let lab = try await Lab()
        try await lab.addProfile("k", ["--no-agent", "--keep-alive", "500ms"])
        let running = try lab.vt.start("exec", "k", "echo in; sleep 1000")
        try await running.output.read(until: "in\n")
        lab.server.signal(SIGSTOP)
        #expect(try await running.wait(deadline: .seconds(20)) == .exited(255))
    }

    @Test func `a timeout ends a command`() async throws {
        let lab = try await Lab.met()
        let result = try await lab.vt.run(
            "--json",
            "exec",
            "--timeout",
            "1s",
            "p",
            "sleep 1000",
            deadline: .seconds(20)
        )
        #expect(result.status == .exited(124))
        #expect(try result.jsonError()["code"] as? String == "timed-out")
    }

    @Test(
        arguments: [
            (["--json"], "p", 124), (["--prefix"], "p", 124), ([], "p", 124),
            ([], "p,local", 1), (["--json"], "p,local", 124), (["--summary", "--max-failures", "1"], "p,local", 1),
        ],
        ["yes", "seq 9999999"]
    )
    func `a timeout ends a command whose output is not read`(
        _ call: (options: [String], targets: String, status: Int32),
        command: String
    ) async throws {
        let lab = try await Lab.met()
        let running = try lab.vt.call(["exec"] + call.options + ["--timeout", "2s", call.targets, command]).start()
        #expect(try await running.wait(deadline: .seconds(60)) == .exited(call.status))
    }

    /// Unlike that of the first command, the output of the second one may end with an incomplete line.
    @Test(arguments: [[], ["--json"]], ["yes", "seq 9999999"])
    func `a command that is ended because another failed does not wait for its reader beyond the timeout`(
        _ options: [String],
        command: String
    ) async throws {
        let lab = try await Lab.met()
        // The connection fails once the output of the other command has filled the pipe.
        let words = ["--option", "ProxyCommand=sh -c 'sleep 1; exit 1'", "--max-failures", "1", "--timeout", "3s"]
        let running = try lab.vt.call(["exec"] + options + words + ["p,local", command]).start()
        #expect(try await running.wait(deadline: .seconds(60)) == .exited(options.isEmpty ? 1 : 124))
    }
}
