import Foundation
import TestSupport
import Testing

/// `vt forward`, against a real sshd.
@Suite(.crowded)
struct ForwardCommandTests {
    @Test func `prints where connections are accepted, and forwards them`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let target = "127.0.0.1:\(peer.port)"
        let program = try lab.lab.vt.start("forward", "p", "-D", "0", "-R", "0:\(target)", "-L", "0:\(target)")
        // The order of the options does not matter.
        let lines = try await program.output.read(until: "SOCKS\n").split(separator: "\n").map(String.init)
        try #require(lines.count == 3)
        let near = try port(in: lines[0], between: "127.0.0.1:", and: " -> \(target)")
        let far = try port(in: lines[1], between: "p:127.0.0.1:", and: " -> \(target)")
        let socks = try port(in: lines[2], between: "127.0.0.1:", and: " -> SOCKS")
        for port in [near, far] { #expect(try await ForwardLab.exchange(port: port, count: 5, size: 100_000) == 5) }
        #expect(LoopbackPort.accepts(socks))
        program.signal(SIGTERM)
        #expect(try await program.wait() == .signalled(SIGTERM))
        #expect(!ForwardLab.accepts(near) && !ForwardLab.accepts(socks))
    }

    @Test func `--json prints one document for each forward`() async throws {
        let lab = try await ForwardLab()
        let program = try lab.lab.vt.start(
            "forward",
            "--json",
            "p",
            "-L",
            "0:db:5432",
            "-L",
            "\(lab.lab.vt.home)/s:/far"
        )
        let text = try await program.output.read(until: "/far\"}\n")
        let port = try port(in: String(text.prefix { $0 != "," }), between: #"{"address":"127.0.0.1:"#, and: "\"")
        #expect(
            text == """
                {"address":"127.0.0.1:\(port)","number":1,"side":"local","target":"db:5432"}
                {"address":"\(lab.lab.vt.home)/s","number":2,"side":"local","target":"/far"}

                """
        )
        _ = program
    }

    @Test func `an asterisk accepts connections on all addresses, of both families`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let script = """
            import os, socket
            for name in ['VT_FORWARD_1_PORT', 'VT_FORWARD_2_PORT']:
                for host in ['127.0.0.1', '127.0.0.2', '::1']:
                    peer = socket.create_connection((host, int(os.environ[name])))
                    peer.sendall(b'x')
                    peer.shutdown(socket.SHUT_WR)
                    print(peer.makefile().read(), end='')
            """
        let file = try lab.lab.vt.writeElsewhere(script, to: "peer.py")
        let target = "127.0.0.1:\(peer.port)"
        let forwards = ["-L", "*:0:\(target)", "-L", ":0:\(target)", "--exec", "python3 \(file)"]
        let result = try await lab.lab.vt.call(["forward", "p"] + forwards).run()
        #expect(result.text.hasSuffix("xxxxxx"), "\(result.errorText)")
    }

    @Test func `--exec runs a line with the addresses, and exits with its status`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let script = """
            import os, socket
            address = os.environ['VT_FORWARD_1_HOST'], int(os.environ['VT_FORWARD_1_PORT'])
            assert os.environ['VT_FORWARD_1'] == '%s:%d' % address
            peer = socket.create_connection(address)
            peer.sendall(b'hello\\n')
            peer.shutdown(socket.SHUT_WR)
            print(peer.makefile().read(), end='')
            """
        let file = try lab.lab.vt.writeElsewhere(script, to: "client.py")
        let result = try await lab.lab.vt.run(
            "forward",
            "p",
            "-L",
            "0:127.0.0.1:\(peer.port)",
            "--exec",
            "python3 \(file) && cat; exit 7",
            input: Array("typed\n".utf8)
        )
        #expect(result.text == "hello\ntyped\n")
        #expect(result.status == .exited(7), "\(result.errorText)")
        let killed = try await lab.lab.vt.run("forward", "p", "-D", "0", "--exec", "kill -9 $$")
        #expect(killed.status == .exited(137))
    }

    @Test func `a signal ends the program started by --exec`() async throws {
        let lab = try await ForwardLab()
        let program = try lab.lab.vt.start("forward", "p", "-D", "0", "--exec", "echo started; sleep 1000; echo no")
        try await program.output.read(until: "started\n")
        program.signal(SIGINT)
        #expect(try await program.wait() == .signalled(SIGINT))
        #expect(String(decoding: await program.output.readToEnd(), as: UTF8.self).isEmpty)
    }

    @Test func `accepts connections on the same port after it has reconnected`() async throws {
        let lab = try await ForwardLab()
        let relay = try await relay(to: lab)
        let peer = try await PeerServer(.returning)
        let program = try lab.lab.vt.start("forward", "r", "-L", "0:127.0.0.1:\(peer.port)")
        let line = try await program.output.read(until: "\n")
        let near = try port(in: line, between: "127.0.0.1:", and: " -> 127.0.0.1:\(peer.port)\n")
        relay.cut()
        try await program.errors.read(until: "reconnected to 'r'\n")
        #expect(try await ForwardLab.exchange(port: near, size: 1000) == 1)
        _ = program
    }

    @Test func `connections are forwarded although the messages are not read`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let program = try lab.lab.vt.start("forward", "p", "-L", "0:127.0.0.1:1", "-L", "0:127.0.0.1:\(peer.port)")
        let lines = try await program.output.read(until: "\(peer.port)\n").split(separator: "\n").map(String.init)
        let refusing = try port(in: lines[0], between: "127.0.0.1:", and: " -> 127.0.0.1:1")
        let near = try port(in: lines[1], between: "127.0.0.1:", and: " -> 127.0.0.1:\(peer.port)")
        // Each refused connection is reported with more than 60 bytes, of which a pipe holds 64 KiB.
        for _ in 0..<20 { #expect(try await ForwardLab.exchange(port: refusing, count: 60, size: 1) == 0) }
        #expect(try await ForwardLab.exchange(port: near, count: 1, size: 1000) == 1)
        program.signal(SIGTERM)
        #expect(try await program.wait() == .signalled(SIGTERM))
    }

    @Test func `with --no-reconnect, the command ends with the connection`() async throws {
        let lab = try await ForwardLab()
        let relay = try await relay(to: lab)
        let words = ["forward", "r", "-D", "0", "--no-reconnect", "--exec", "echo started; sleep 1000"]
        let program = try lab.lab.vt.call(words).start()
        try await program.output.read(until: "started\n")
        relay.cut()
        #expect(try await program.wait() == .exited(255))
    }

    @Test func `fails if a forward cannot be set up`() async throws {
        let lab = try await ForwardLab()
        let peer = try await PeerServer(.returning)
        let taken = try await lab.lab.vt.run("forward", "p", "-L", "\(peer.port):a:1", "--exec", "echo ran")
        #expect(taken.status == .exited(255) && taken.text.isEmpty)
        #expect(taken.errorText.hasPrefix("vt: cannot listen on 'localhost:\(peer.port)': address already in use"))
        let none = try await lab.lab.vt.run("forward", "p")
        #expect(none.status == .exited(255))
        #expect(none.errorText.contains("nothing to forward"))
        let local = try await lab.lab.vt.run("forward", "local", "-D", "0")
        #expect(local.errorText.contains("cannot forward through this machine"))
    }

    /// A relay to the server, as the profile `r`.
    private func relay(to lab: ForwardLab) async throws -> Relay {
        let relay = try Relay(to: lab.lab.server.port)
        try await lab.lab.addProfile("r", port: relay.port)
        try await lab.lab.meet("r")
        return relay
    }

    private func port(in line: String, between start: String, and end: String) throws -> UInt16 {
        guard line.hasPrefix(start), line.hasSuffix(end),
            let port = UInt16(line.dropFirst(start.count).dropLast(end.count))
        else { throw FixtureError("unexpected line '\(line)'") }
        return port
    }
}
