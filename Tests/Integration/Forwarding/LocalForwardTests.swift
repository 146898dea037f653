import Foundation
import TestSupport
import Testing

/// `vt ssh -L` and `-D`, against a real sshd.
@Suite(.crowded)
struct LocalForwardTests {
    @Test func `forwards large amounts of data, and the end of each direction`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let port = try LoopbackPort.free()
        let program = try await lab.start(["-L", "\(port):127.0.0.1:\(peer.port)"], port: port)
        #expect(try await ForwardLab.exchange(port: port, size: 32 << 20) == 1)
        #expect(program.isRunning)
    }

    @Test func `forwards 200 connections at once over one connection, without a thread for each`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let port = try LoopbackPort.free()
        let program = try await lab.start(["-L", "\(port):127.0.0.1:\(peer.port)"], port: port)
        #expect(try await ForwardLab.exchange(port: port, count: 200, size: 50_000) == 200)
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.pid)/task").count
        #expect(threads < 10)
        #expect(lab.lab.server.log.split(separator: "\n").count { $0.contains("Accepted publickey") } <= 2)
    }

    @Test func `listens on Unix domain sockets, and connects to them`() async throws {
        let lab = try await ForwardLab()
        let (near, far) = ("\(lab.lab.vt.home)/near", "\(lab.lab.server.home)/far")
        let peer = try await PeerServer(.returning, socket: far)
        let port = try LoopbackPort.free()
        let program = try await lab.start(["-L", "\(near):\(far)", "-L", "\(port):\(far)"], port: port)
        #expect(try await ForwardLab.exchange(port: port, size: 1000) == 1)
        #expect(try await ForwardLab.exchange(socket: near, size: 1000) == 1)
        program.signal(SIGTERM)
        #expect(try await program.wait() == .signalled(SIGTERM))
        #expect(!FileManager.default.fileExists(atPath: near))
        _ = peer
    }

    @Test func `a note names the port that was chosen`() async throws {
        let lab = try await ForwardLab()
        let program = try lab.lab.vt.start(
            "forward",
            "p",
            "-L",
            "0:127.0.0.1:1",
            "--exec",
            "bash -c 'exec 3<>/dev/tcp/${VT_FORWARD_1/:/\\/}; cat <&3'"
        )
        let note = try await program.errors.read(until: "connect failed\n")
        let port = try #require(note.firstMatch(of: /a connection to 'localhost:(\d+)' was closed/)?.1)
        #expect(port != "0")
    }

    @Test func `a refused connection is closed, with a note`() async throws {
        let lab = try await ForwardLab()
        let port = try LoopbackPort.free()
        let program = try await lab.start(["-L", "\(port):127.0.0.1:1"], port: port)
        #expect(try await ForwardLab.exchange(port: port, size: 10) == 0)
        let note = try await program.errors.read(until: "\n")
        let reason = "'p' cannot reach '127.0.0.1:1': connect failed"
        #expect(note == "vt: a connection to 'localhost:\(port)' was closed: \(reason)\n")
        #expect(program.isRunning)
    }

    @Test func `ends when the server vanishes`() async throws {
        let lab = try await ForwardLab()
        let port = try LoopbackPort.free()
        let program = try await lab.start(["-L", "\(port):127.0.0.1:1"], port: port)
        lab.lab.server.stop()
        #expect(try await program.wait() == .exited(255))
        let errors = String(decoding: await program.errors.readToEnd(), as: UTF8.self)
        #expect(errors.contains("lost the connection to 'p'"))
    }

    @Test func `stays connected to a server that requires answers while nothing is forwarded`() async throws {
        let lab = try await ForwardLab(.init(lines: ["ClientAliveInterval 1", "ClientAliveCountMax 1"]))
        let peer = try await PeerServer(.returning)
        let port = try LoopbackPort.free()
        let program = try await lab.start(["-L", "\(port):127.0.0.1:\(peer.port)"], port: port)
        // Without answers, sshd closes the connection after 2 seconds.
        await #expect(throws: FixtureError.self) { try await program.wait(deadline: .seconds(4)) }
    }

    @Test func `a command ends when its forwarded connections have ended`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let port = try LoopbackPort.free()
        let words = ["ssh", "-L", "\(port):127.0.0.1:\(peer.port)", "p", "read line; exit 3"]
        let program = try lab.lab.vt.call(words).start()
        #expect(await eventually { ForwardLab.accepts(port) })
        let script = "exec 3<>/dev/tcp/127.0.0.1/\(port); echo connected; read line; echo more >&3"
        let client = try ProgramCall("/bin/bash", ["-c", script]).start()
        try await client.output.read(until: "connected")
        try program.input.write("line\n")
        let hasEnded = await eventually { !lab.lab.server.commands.contains { $0.contains("read line") } }
        #expect(hasEnded)
        #expect(program.isRunning)
        try client.input.write("line\n")
        #expect(try await program.wait() == .exited(3))
    }

    @Test func `ExitOnForwardFailure decides whether a port in use is a failure`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let words = ["-L", "\(peer.port):a:1", "p", "echo ran"]
        let note = "vt: cannot listen on 'localhost:\(peer.port)': address already in use"
        let tolerated = try await lab.lab.vt.call(["ssh"] + words).run()
        #expect(tolerated.text == "ran\n" && tolerated.errorText.hasPrefix(note), "\(tolerated.errorText)")
        let failed = try await lab.lab.vt.call(["ssh", "-o", "ExitOnForwardFailure=yes"] + words).run()
        #expect(failed.status == .exited(255) && failed.text.isEmpty)
        #expect(failed.errorText.hasPrefix(note))
        let cleared = try await lab.lab.vt.call(["ssh", "-o", "ClearAllForwardings=yes"] + words).run()
        #expect(cleared.text == "ran\n" && cleared.errorText.isEmpty)
    }

    @Test func `uses the forwards of the configuration`() async throws {
        let lab = try await Lab()
        let peer = try await PeerServer(.returning)
        let port = try LoopbackPort.free()
        try lab.configure(lab.box("LocalForward \(port) 127.0.0.1:\(peer.port)"))
        let program = try lab.vt.start("ssh", "-N", "box")
        #expect(await eventually { ForwardLab.accepts(port) })
        #expect(try await ForwardLab.exchange(port: port, size: 1000) == 1)
        _ = program
    }

    @Test(arguments: ["--socks4", "--socks4a", "--socks5", "--socks5-hostname"])
    func `curl uses -D as its proxy`(_ option: String) async throws {
        let lab = try await ForwardLab()
        let port = try LoopbackPort.free()
        let program = try await lab.start(["-D", "\(port)"], port: port)
        let web = try ProgramCall(
            "python3",
            ["-u", "-m", "http.server", "--bind", "127.0.0.1", "-d", lab.lab.server.home, "0"]
        ).start()
        let banner = try await web.output.read(until: "...")
        let address = try #require(banner.firstMatch(of: /port (\d+)/)).1
        let url = "http://localhost:\(address)/"
        let good = try await ProgramCall("curl", ["-sS", option, "127.0.0.1:\(port)", url]).run()
        #expect(good.text.contains("<title>Directory listing"), "\(good.errorText)")
        let bad = try await ProgramCall("curl", ["-sS", option, "127.0.0.1:\(port)", "http://127.0.0.1:1/"]).run()
        #expect(bad.status == .exited(97))
        #expect(program.isRunning)
    }
}
