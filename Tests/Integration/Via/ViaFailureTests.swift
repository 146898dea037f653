import Foundation
import TestSupport
import Testing

/// Programs that cannot reach the far end, or that misbehave.
@Suite(.crowded)
struct ViaFailureTests {
    private let lab: ViaLab

    init() async throws {
        lab = try await ViaLab()
    }

    @Test(
        arguments: [
            ("no-such-program -x", "cannot run 'no-such-program': no such file or directory"),
            ("sh -c 'echo banner; echo first >&2; echo \"no such container\" >&2; exit 127'", "no such container"),
            ("sh -c 'echo only output; exit 255'", "exit status 255: only output"),
            ("sh -c 'kill -KILL $$'", "terminated by signal KILL"),
            ("true", "ended without starting the command"),
            ("sh -c 'exec \"$@\" </dev/null' sh", "failed: exit status 1"),
            ("chroot /nowhere", "/nowhere"),
        ]
    )
    func `a program that does not start the command makes the target unreachable`(
        _ command: String,
        reason: String
    ) async throws {
        try await lab.addProfile("q", command)
        let marker = "\(lab.home)/ran"
        let result = try await lab.vt.run("--json", "exec", "q", "touch \(marker)")
        #expect(result.status == .exited(255))
        let error = try result.jsonError()
        #expect(error["code"] as? String == "host.unreachable")
        #expect((error["message"] as? String)?.contains(reason) == true, "\(result.errorText)")
        #expect(!FileManager.default.fileExists(atPath: marker))
        #expect(try await lab.vt.run("sessions", "list", "q").status == .exited(69))
        let test = try await lab.vt.run("--json", "profile", "test", "q")
        #expect(test.status == .exited(69))
    }

    @Test(arguments: ["exec sleep 1000", "sleep 1000; :", "trap : TERM; while :; do sleep 0.1; done"])
    func `a program that never starts the command times out and is ended`(_ command: String) async throws {
        try await lab.addProfile("q", "sh -c 'echo connecting >&2; \(command)' sh")
        let result = try await lab.vt.run("exec", "--connect-timeout", "1s", "q", "true", deadline: .seconds(20))
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("'q' did not answer within 1s: connecting"))
        #expect(result.output == [])
        #expect(await eventually { lab.vt.processes.isEmpty })
    }

    @Test(arguments: ["yes $(printf %200s y)", "yes $(printf %200s y) >&2", "exec cat /dev/zero"])
    func `a program that prints endlessly is ended, and does not prevent a timeout`(_ command: String) async throws {
        try await lab.addProfile("q", "sh -c '\(command)' sh")
        for (limit, status) in [("--connect-timeout", Int32(255)), ("--timeout", 124)] {
            let result = try await lab.vt.run("exec", limit, "1ms", "q", "true")
            #expect(result.status == .exited(status))
        }
        let result = try await lab.vt.run("exec", "--connect-timeout", "1m", "q", "true")
        #expect(result.status == .exited(255))
        #expect(
            result.errorText.hasPrefix(
                "vt: the --via program of 'q' printed more than 4 MiB without starting the command: "
            )
        )
        #expect(result.errorText.utf8.count < 1000)
        #expect(await eventually { lab.vt.processes.isEmpty })
    }

    @Test(arguments: ["echo", "echo {line}"])
    func `the error for a program that prints its arguments does not contain the script`(
        _ program: String
    ) async throws {
        try await lab.addProfile("q", program)
        for options in [[], ["--pty"]] {
            let result = try await lab.vt.call(["-v", "exec"] + options + ["q", "true"]).run()
            #expect(result.status == .exited(255))
            let error = result.errorText.split(separator: "\n").first { $0.hasPrefix("vt: the") }
            #expect(error?.contains("ended without starting the command: ") == true)
            #expect(error?.contains("/bin/sh -c ") == true && error?.contains("printf") == false)
        }
    }

    @Test func `what a program prints before the command is not part of its output`() async throws {
        let noise = "i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo banner $i; echo warning $i >&2; done"
        try await lab.addProfile("q", "sh -c '\(noise); exec \"$@\"' sh")
        let result = try await lab.vt.run("exec", "q", "echo out; echo err >&2")
        #expect(result.text == "out\n")
        #expect(result.errorText == "err\n")
        let verbose = try await lab.vt.run("-v", "exec", "q", "true")
        #expect(verbose.errorText.contains("vt: q: banner 5000\n"))
        #expect(verbose.errorText.contains("vt: q: warning 1\n"))
    }

    @Test func `a program may copy standard error to standard output`() async throws {
        try await lab.addProfile("q", "sh -c 'echo banner >&2; exec \"$@\" 2>&1' sh")
        let result = try await lab.vt.run("exec", "q", "echo out; echo err >&2")
        #expect(result.text == "out\nerr\n")
        #expect(result.errorText == "")
    }

    @Test func `a program that dies during the command ends it, and is not started again`() async throws {
        try await lab.addProfile("q", "sh -c 'echo run >>\(lab.home)/runs; \"$@\"; exit 9' sh")
        let result = try await lab.vt.run("exec", "q", "echo one; kill -KILL $PPID; echo two")
        #expect(result.text == "one\ntwo\n")
        #expect(result.status == .exited(137))
        #expect(try String(contentsOfFile: "\(lab.home)/runs", encoding: .utf8) == "run\n")
    }

    @Test func `a command that closes its streams early is not disturbed`() async throws {
        let result = try await lab.vt.run("exec", "p", "exec <&- >&-; sleep 0.1; exit 4", input: noise(2_000_000))
        #expect(result.status == .exited(4))
        #expect(result.errorText == "")
        let running = try await lab.vt.bash("vt exec p yes | head -n 2; echo ${PIPESTATUS[0]}")
        #expect(running.text == "y\ny\n141\n")
        #expect(await eventually { lab.vt.processes.isEmpty })
    }

    @Test(arguments: [[], ["--pty"]])
    func `a timeout and a signal end the program and the command`(_ options: [String]) async throws {
        let late = try await lab.vt.call(["exec"] + options + ["--timeout", "300ms", "p", "sleep 1000"]).run()
        #expect(late.status == .exited(124))
        #expect(await eventually { lab.vt.processes.isEmpty })
        let running = try lab.vt.call(["exec"] + options + ["p", "echo in; sleep 1000"]).start()
        try await running.output.read(until: "in")
        running.signal(SIGTERM)
        _ = try await running.wait(deadline: .seconds(20))
        #expect(await eventually { lab.vt.processes.isEmpty })
    }

    @Test func `a terminal that the program does not pass on is an error`() async throws {
        try await lab.addProfile("q", "sh -c 'exec \"$@\" </dev/null 2>&1 | cat' sh")
        let result = try await lab.vt.run("exec", "--pty", "q", "true", deadline: .seconds(20))
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("stty"))
    }
}
