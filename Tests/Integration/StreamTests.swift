import Foundation
import TestSupport
import Testing

@Suite(.crowded, .sharing)
struct StreamTests {
    @Test func `10 MiB sent to the server and back arrive unchanged`() async throws {
        let lab = try await Lab()
        let bytes = noise(10 << 20)
        let result = try await lab.exec("cat", input: bytes)
        #expect(result.status == .exited(0))
        #expect(result.output == bytes)
        #expect(result.errors.isEmpty || !result.errorText.contains("error"))
    }

    @Test func `a hash computed on the server matches the input`() async throws {
        let lab = try await Lab()
        let bytes = noise(10 << 20)
        let here = try await ProgramCall("sha256sum").run(input: bytes)
        let there = try await lab.exec("sha256sum", input: bytes)
        #expect(there.output == here.output)
    }

    @Test func `every byte value arrives unchanged`() async throws {
        let lab = try await Lab()
        let bytes = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &+ $0 >> 8) }
        #expect(try await lab.exec("cat", input: bytes).output == bytes)
    }

    @Test func `standard output and standard error are separate and unchanged`() async throws {
        let lab = try await Lab.met()
        let line = "i=0; while [ $i -lt 2000 ]; do echo out$i; echo err$i >&2; i=$((i+1)); done"
        let result = try await lab.exec(line)
        #expect(result.text == (0..<2000).map { "out\($0)\n" }.joined())
        #expect(result.errorText == (0..<2000).map { "err\($0)\n" }.joined())
    }

    @Test func `a flood on standard error does not block standard output`() async throws {
        let lab = try await Lab.met()
        let result = try await lab.exec("head -c 12000000 /dev/zero >&2; echo done")
        #expect(result.text == "done\n")
        #expect(result.errors.count == 12_000_000)
    }

    @Test func `the program receives the end of input while its output is still being read`() async throws {
        let lab = try await Lab()
        let result = try await lab.exec("sort -r; echo after", input: Array("a\nb\n".utf8))
        #expect(result.text == "b\na\nafter\n")
    }

    @Test func `a program that does not read its input does not block vt`() async throws {
        let lab = try await Lab()
        let running = try lab.vt.start("exec", "p", "exit 3")
        #expect(try await running.wait(deadline: .seconds(20)) == .exited(3))
    }

    @Test func `forwards input and output while the program runs`() async throws {
        let lab = try await Lab()
        let running = try lab.vt.start("exec", "p", "while read line; do echo \"<$line>\"; done; exit 9")
        for word in ["one", "two"] {
            try running.input.write("\(word)\n")
            try await running.output.read(until: "<\(word)>\n")
        }
        running.input.close()
        #expect(try await running.wait() == .exited(9))
    }

    @Test func `vt and the command end when the reader exits`() async throws {
        let lab = try await Lab()
        let result = try await lab.vt.bash("vt exec p yes | head -1; echo ${PIPESTATUS[0]}", deadline: .seconds(20))
        #expect(result.text.hasPrefix("y\n"))
        #expect(await eventually { lab.vt.processes.isEmpty })
        #expect(await eventually { !lab.server.commands.contains("yes") })
    }

    @Test func `a failure to write standard output is reported as an error of vt`() async throws {
        let lab = try await Lab()
        let result = try await lab.vt.bash("vt --json exec p 'echo x' >/dev/full")
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "io")
    }

    @Test(arguments: ["exec p", "exec local", "ssh box", "exec p --gather", "exec p,local", "exec p --pty"])
    func `the status does not depend on whether standard error can be written`(_ words: String) async throws {
        let lab = try await Lab()
        try lab.configure(lab.box())
        try await lab.meet()
        let line = "vt \(words) 'echo out; echo err >&2; exit 3' 2>/dev/full"
        let result = try await lab.vt.bash(line)
        #expect(result.status == .exited(words.contains(",") ? 1 : 3), "\(result.errorText)")
        #expect(result.text.contains("out"))
    }

    @Test func `diagnostics that cannot be written do not change the status`() async throws {
        let lab = try await Lab()
        let missing = try await lab.vt.bash("vt exec local -- /nonexistent/program 2>/dev/full")
        #expect(missing.status == .exited(127))
        let verbose = try await lab.vt.bash("vt -v exec p 'exit 4' 2>/dev/full")
        #expect(verbose.status == .exited(4))
    }

    @Test(arguments: ["<&-", "</dev/null"])
    func `a closed or empty standard input is treated as the end of input`(_ redirection: String) async throws {
        let lab = try await Lab()
        let result = try await lab.vt.bash("vt exec p 'cat; echo end' \(redirection)", deadline: .seconds(20))
        #expect(result.text == "end\n")
    }

    @Test func `vt uses limited memory while its reader stalls`() async throws {
        let lab = try await Lab()
        let running = try lab.vt.start("exec", "p", "head -c 1073741824 /dev/zero")
        #expect(await running.output.read(atLeast: 1).first == 0)
        // The output is not read until vt has stopped reading from the connection.
        #expect(try await running.waitUntilIdle())
        #expect(try running.peakResidentBytes() < 16 << 20)
        running.kill()
    }

    @Test func `a running exec uses little memory`() async throws {
        let lab = try await Lab()
        let running = try lab.vt.start("exec", "p", "cat")
        try running.input.write("x")
        #expect(await running.output.read(atLeast: 1) == Array("x".utf8))
        #expect(try running.peakResidentBytes() < 16 << 20)
    }
}
