import Foundation
import TestSupport
import Testing

@Suite(.crowded)
struct TransportTests {
    @Test func `connects through a jump host`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let relay = try Relay(to: lab.server.port)
        try await lab.addProfile("jump", port: relay.port)
        try await lab.addProfile("behind", ["--no-agent", "--jump", "jump"])
        let bytes = noise(1 << 20)
        let result = try await lab.vt.run("exec", "behind", "cat; exit 3", input: bytes)
        #expect(result.output == bytes)
        #expect(result.status == .exited(3))
        #expect(relay.connectionCount == 1)
        #expect(relay.bytesToServer > 1 << 20)
    }

    @Test func `jump hosts can be chained`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let second = try await OpenSSHServer()
        let third = try await OpenSSHServer()
        try await lab.addProfile("two", port: second.port, ["--no-agent", "--jump", "p"])
        try await lab.addProfile("three", port: third.port, ["--no-agent", "--jump", "two"])
        let result = try await lab.vt.run("exec", "three", "echo $SSH_CONNECTION")
        #expect(result.text.hasSuffix(" \(third.port)\n"), "\(result.errorText)")
        #expect(second.log.contains("Accepted"))
    }

    @Test func `a connection that is reset is reported in words`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let server = """
            import socket, struct
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            while True:
                peer, _ = listener.accept()
                peer.recv(1)
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                peer.close()
            """
        let program = try lab.vt.writeElsewhere(server, to: "server.py")
        let script = """
            cd; mkfifo port; \(TestTree.python) \(program) >port & read -r port <port
            vt exec --json "$USER@127.0.0.1:$port" -i "$1" true || true; kill $!
            """
        let result = try await lab.vt.bash(script, lab.server.userKeys.path(.ed25519))
        #expect(result.text.contains("connection reset by peer"), "\(result.text)\(result.errorText)")
        #expect(!(result.text + result.errorText).contains("errno"), "\(result.text)\(result.errorText)")
    }

    @Test func `reports a jump host that cannot be reached`() async throws {
        let lab = try await Lab(sharesConnections: false)
        try await lab.addProfile("jump", port: LoopbackPort.free())
        try await lab.addProfile("behind", ["--no-agent", "--jump", "jump"])
        let result = try await lab.vt.run("--json", "exec", "behind", "true")
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "host.unreachable")
    }

    @Test func `reports a target that refuses the jump host's connection`() async throws {
        let lab = try await Lab(sharesConnections: false)
        try await lab.addProfile("behind", port: LoopbackPort.free(), ["--no-agent", "--jump", "p"])
        let result = try await lab.vt.run("--json", "exec", "behind", "true")
        #expect(try result.jsonError()["code"] as? String == "host.unreachable")
    }

    @Test func `checks the host key of each hop`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let second = try await OpenSSHServer()
        try await lab.addProfile("behind", port: second.port, ["--no-agent", "--jump", "p"])
        let other = try await KeyRing().publicLine(.ed25519)
        try lab.vt.write("[127.0.0.1]:\(second.port) \(other)\n", to: "known_hosts")
        let result = try await lab.vt.run("--json", "exec", "behind", "true")
        #expect(try result.jsonError()["code"] as? String == "host-key.changed")
    }

    @Test func `a proxy command carries the connection and ends with it`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let proxy = "python3 -c '\(Self.proxy)' %h %p 100%%"
        try await lab.addProfile("x", ["--no-agent", "--proxy-command", proxy])
        let bytes = noise(1 << 20)
        let result = try await lab.vt.run("exec", "x", "cat; exit 3", input: bytes)
        #expect(result.output == bytes, "\(result.errorText)")
        #expect(result.status == .exited(3))
        #expect(await eventually { lab.vt.processes.isEmpty })
    }

    @Test func `distinguishes many servers that use the same jump host`() async throws {
        let lab = try await Lab.met(sharesConnections: false)
        let names = (1...40).map { "t\($0)" }
        let key = lab.server.userKeys.path(.ed25519)
        let settings = "HostName 127.0.0.1\nPort \(lab.server.port)\nUser \(lab.server.user)\nIdentityFile \(key)"
        let configuration = names.map { "Host \($0)\n\(settings)\nProxyJump p\n" }.joined()
        try await lab.vt.check("profile", "import", lab.vt.writeElsewhere(configuration, to: "config"))
        let call = lab.vt.call(["exec", names.joined(separator: ","), "head -c 200000 /dev/zero | sha256sum"])
        let result = try await call.run()
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(Set(result.text.split(separator: "\n").map { $0.split(separator: " ")[1] }).count == 1)
        #expect(result.text.split(separator: "\n").count == names.count)
    }

    @Test func `reports a proxy command that fails`() async throws {
        let lab = try await Lab(sharesConnections: false)
        try await lab.addProfile("x", ["--no-agent", "--proxy-command", "sh -c 'echo once >&2; exit 7'"])
        let result = try await lab.vt.run("exec", "x", "true", deadline: .seconds(20))
        #expect(result.status == .exited(255))
        #expect(result.errorText == "once\nvt: the proxy command of 'x' failed: exit status 7 (host.unreachable)\n")
    }

    @Test func `reaps proxy commands that have exited`() async throws {
        let lab = try await Lab.met(sharesConnections: false)
        try await lab.addProfile("x", ["--no-agent", "--proxy-command", "exit 7"])
        let running = try lab.vt.start("--json", "exec", "x,p", "cat")
        try await running.output.read(until: "\"error\"")
        #expect(await eventually { ProcessTable.childCount(of: running.pid) == 0 })
        running.input.close()
        #expect(try await running.wait() == .exited(1))
    }

    @Test(arguments: [
        "KexAlgorithms diffie-hellman-group14-sha1,diffie-hellman-group1-sha1,diffie-hellman-group-exchange-sha1",
        "Ciphers aes128-cbc,aes256-cbc,3des-cbc", "MACs hmac-md5,hmac-sha1,hmac-sha1-96,hmac-md5-96",
    ])
    func `does not offer weak algorithms`(_ line: String) async throws {
        let lab = try await Lab(.init(lines: [line]), sharesConnections: false)
        let result = try await lab.vt.run("--json", "exec", "p", "true")
        #expect(result.status == .exited(255))
        #expect(try result.jsonError()["code"] as? String == "protocol")
        #expect(await eventually { lab.server.log.contains("no matching") })
    }

    @Test func `uses a weak algorithm named in the profile`() async throws {
        let lab = try await Lab(.init(lines: ["MACs hmac-sha1"]), sharesConnections: false)
        try await lab.addProfile("weak", ["--no-agent", "--allow-algorithm", "hmac-sha1"])
        #expect(try await lab.vt.run("exec", "weak", "echo in").text == "in\n")
    }

    @Test func `works with a server that rekeys frequently`() async throws {
        let lab = try await Lab(.init(lines: ["RekeyLimit 1M"]), sharesConnections: false)
        let bytes = noise(8 << 20)
        #expect(try await lab.exec("cat", input: bytes).output == bytes)
    }

    @Test func `resolves localhost and tries both address families`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let key = lab.server.userKeys.path(.ed25519)
        // localhost might resolve to ::1 first, but the server listens only on IPv4.
        let address = "\(lab.server.user)@localhost:\(lab.server.port)"
        try await lab.vt.check("profile", "add", "l", address, "--identity", key, "--no-agent")
        #expect(try await lab.vt.run("exec", "l", "echo in").text == "in\n")
    }

    /// A Python program that connects to the host and port given as arguments, and forwards its standard streams.
    static let proxy = """
        import os, socket, sys, threading
        s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
        def up():
            while True:
                data = os.read(0, 65536)
                if not data: break
                s.sendall(data)
            s.shutdown(socket.SHUT_WR)
        threading.Thread(target=up, daemon=True).start()
        while True:
            data = s.recv(65536)
            if not data: break
            os.write(1, data)
        """
}
