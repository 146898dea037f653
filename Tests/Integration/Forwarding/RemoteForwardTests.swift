import Foundation
import TestSupport
import Testing

/// `vt ssh -R` and `-f`, against a real sshd.
@Suite(.crowded, .sharing)
struct RemoteForwardTests {
    @Test func `the server forwards to this machine, on a port that it chooses`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let (path, port) = ("\(lab.lab.vt.home)/socket", try LoopbackPort.free())
        let local = try await PeerServer(.returning, socket: path)
        let words = ["-R", "\(port):\(path)", "-R", "127.0.0.1:0:127.0.0.1:\(peer.port)"]
        let program = try lab.lab.vt.call(["ssh", "-N"] + words + ["p"]).start()
        let note = try await program.errors.read(until: "\n")
        let pattern = /vt: Allocated port (\d+) for remote forward to 127\.0\.0\.1:(\d+)\n/
        let match = try #require(note.wholeMatch(of: pattern), "\(note)")
        let chosen = try #require(UInt16(match.1))
        #expect(try await ForwardLab.exchange(port: chosen, size: 8 << 20) == 1)
        #expect(try await ForwardLab.exchange(port: chosen, count: 250, size: 10_000) == 250)
        #expect(try await ForwardLab.exchange(port: port, size: 1000) == 1)
        _ = local
    }

    @Test func `a target that cannot be reached is noted`() async throws {
        let lab = try await ForwardLab()
        let port = try LoopbackPort.free()
        let program = try await lab.start(["-R", "127.0.0.1:\(port):127.0.0.1:1"], port: port)
        #expect(try await ForwardLab.exchange(port: port, size: 10) == 0)
        let note = try await program.errors.read(until: "\n")
        #expect(note.hasSuffix("was closed: cannot connect to '127.0.0.1:1': connection refused\n"))
    }

    @Test func `a port that the server refuses is a failure with ExitOnForwardFailure`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let words = ["ssh", "-R", "127.0.0.1:\(peer.port):a:1", "p", "echo ran"]
        let tolerated = try await lab.lab.vt.call(words).run()
        let note = "vt: 'p' refused to listen on '127.0.0.1:\(peer.port)'"
        #expect(tolerated.text == "ran\n" && tolerated.errorText.hasPrefix(note))
        let failed = try await lab.lab.vt.call(["ssh", "-oExitOnForwardFailure=yes"] + words.dropFirst()).run()
        #expect(failed.status == .exited(255) && failed.text.isEmpty && failed.errorText.hasPrefix(note))
    }

    @Test func `a variable that the server refuses is not mistaken for the command`() async throws {
        let lab = try await ForwardLab()
        let words = ["ssh", "-R", "127.0.0.1:0:a:1", "-o", "SendEnv=REFUSED", "p", "echo ran"]
        let call = lab.lab.vt.call(words, environment: ["REFUSED": "x"])
        let outputs = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<30 { group.addTask { try await call.run().text } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outputs == Array(repeating: "ran\n", count: 30))
    }

    @Test func `continues in the background once the forwards are set up`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let port = try LoopbackPort.free()
        // The substitution ends although the process in the background continues.
        let script = "text=$(vt ssh -f -N -L \(port):127.0.0.1:\(peer.port) p 2>&1); echo $? $text"
        let result = try await lab.lab.vt.bash(script)
        #expect(result.text == "0\n")
        #expect(LoopbackPort.accepts(port))
        #expect(try await ForwardLab.exchange(port: port, size: 1000) == 1)
        let processes = lab.lab.vt.processes
        #expect(processes.count == 1)
        for process in processes { kill(process, SIGTERM) }
        #expect(await eventually { lab.lab.vt.processes.isEmpty })
    }

    @Test func `reports failures before it continues in the background`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let words = ["-f", "-N", "-o", "ExitOnForwardFailure=yes", "-L", "\(peer.port):a:1", "p"]
        let result = try await lab.lab.vt.call(["ssh"] + words).run()
        #expect(result.status == .exited(255) && result.errorText.contains("address already in use"))
        #expect(lab.lab.vt.processes.isEmpty)
        let output = try await lab.lab.vt.call(["ssh", "-f", "p", "cat; echo done"]).run(input: [1])
        #expect(output.status == .exited(0) && output.text == "done\n")
    }
}
