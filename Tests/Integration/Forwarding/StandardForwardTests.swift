import TestSupport
import Testing

/// `vt ssh -W`, which connects standard input and output to an address.
@Suite(.crowded)
struct StandardForwardTests {
    @Test func `OpenSSH uses it as its proxy command`() async throws {
        let lab = try await Lab.met()
        let command = "head -c 20000000 /dev/zero; cat"
        var call = try lab.server.ssh(["ProxyCommand=\(TestTree.vt) ssh -W %h:%p p"], [command])
        call.environment = lab.vt.call([]).environment
        let result = try await call.run(input: noise(1_000_000))
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.output.count == 21_000_000)
        #expect(result.output.suffix(1_000_000).elementsEqual(noise(1_000_000)))
    }

    @Test func `passes on the end of each direction`() async throws {
        let lab = try await Lab.met()
        let returning = try await PeerServer(.returning)
        let bytes = noise(3_000_000)
        let result = try await lab.vt.run("ssh", "-W", "127.0.0.1:\(returning.port)", "p", input: bytes)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.output == bytes)

        let sending = try await PeerServer(.sending)
        let program = try lab.vt.call(["ssh", "-W", "[127.0.0.1]:\(sending.port)", "p"]).start()
        // Standard output ends while the input is still open.
        #expect(await program.output.readToEnd().count == PeerServer.sentBytes)
        #expect(program.isRunning)
        try program.input.write(bytes)
        program.input.close()
        #expect(try await program.wait() == .exited(0))
        #expect(try await sending.receivedCount() == bytes.count)
    }

    @Test func `connects to a Unix domain socket`() async throws {
        let lab = try await Lab.met()
        let path = "\(lab.server.home)/socket"
        let server = try await PeerServer(.returning, socket: path)
        let result = try await lab.vt.run("ssh", "-W", path, "p", input: [1, 2])
        #expect(result.output == [1, 2], "\(result.errorText)")
        _ = server
    }

    @Test func `reports the reason if the server cannot connect`() async throws {
        let lab = try await Lab.met(.init(lines: ["PermitOpen 127.0.0.1:1"]))
        let refused = try await lab.vt.run("ssh", "-W", "127.0.0.1:1", "p")
        #expect(refused.status == .exited(255))
        #expect(refused.errorText.hasPrefix("vt: 'p' cannot reach '127.0.0.1:1': connect failed"))
        let prohibited = try await lab.vt.run("ssh", "-W", "127.0.0.1:2", "p")
        #expect(prohibited.errorText.hasPrefix("vt: 'p' cannot reach '127.0.0.1:2': administratively prohibited"))
    }

    @Test(.timeLimit(.minutes(5))) func `fails when the server vanishes`() async throws {
        let lab = try await Lab.met()
        let peer = try await PeerServer(.sending)
        let program = try lab.vt.call(["ssh", "-W", "127.0.0.1:\(peer.port)", "p"]).start()
        #expect(await program.output.read(atLeast: PeerServer.sentBytes).count == PeerServer.sentBytes)
        lab.server.stop()
        #expect(try await program.wait() == .exited(255))
    }
}
