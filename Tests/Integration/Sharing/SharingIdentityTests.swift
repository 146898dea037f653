import Foundation
import TestSupport
import Testing

/// A command uses a shared connection only if a connection of its own would be the same.
@Suite(.crowded)
struct SharingIdentityTests {
    @Test func `a wrong or missing password is not replaced by a shared connection`() async throws {
        let server = try await AsyncSSHServer(.init(steps: [["password"]]))
        let vt = try Vt()
        let words = ["profile", "add", "p", "\(server.user)@127.0.0.1:\(server.port)", "--no-agent"]
        try await vt.call(words + ["--password-env", "SECRET"]).check()
        let right = "correct horse"
        for (password, status) in [(right, 0), ("wrong", 255), (nil, 255), (right, 0)] as [(String?, Int32)] {
            var environment = SharedLab.sharing
            environment["SECRET"] = password
            let result = try await vt.run("exec", "p", "true", environment: environment)
            #expect(result.status == .exited(status), "\(password ?? "none"): \(result.errorText)")
        }
        let connections = try await vt.check("profile", "connections", "--json")
        #expect(connections.components(separatedBy: "\"pid\"").count == 2)
        try await vt.check("profile", "connections", "--close", "p")
    }

    @Test func `a proxy command with another environment makes another connection`() async throws {
        let lab = try await SharedLab()
        let other = try Relay(to: lab.server.port)
        let program = """
            import os, socket, threading
            link = socket.create_connection(("127.0.0.1", int(os.environ["WHERE"])))
            def send():
                while data := os.read(0, 65536): link.sendall(data)
                link.shutdown(socket.SHUT_WR)
            threading.Thread(target=send, daemon=True).start()
            while data := link.recv(65536): os.write(1, data)
            """
        let proxy = "python3 \(try lab.vt.writeElsewhere(program, to: "proxy.py"))"
        let options = ["--no-agent", "--identity", lab.identity, "--proxy-command", proxy]
        try await lab.vt.call(["profile", "add", "x", "\(lab.server.user)@127.0.0.1:\(lab.relay.port)"] + options)
            .check()
        for (relay, count) in [(lab.relay, 2), (other, 1), (lab.relay, 2)] {
            var environment = SharedLab.sharing
            environment["WHERE"] = String(relay.port)
            let result = try await lab.vt.run("exec", "x", "true", environment: environment)
            #expect(result.status == .exited(0), "\(result.errorText)")
            #expect(relay.connectionCount == count)
        }
    }

    @Test func `commands in different network namespaces do not share a connection`() async throws {
        let lab = try await SharedLab()
        #expect(try await lab.exec("true").status == .exited(0))
        // In a new network namespace, not even the loopback interface is up.
        let isolated = try await lab.vt.bash(
            "VT_SHARE=60s unshare --user --map-root-user --net vt exec s true"
        )
        #expect(isolated.status == .exited(255))
        #expect(isolated.errorText.contains("host.unreachable"), "\(isolated.errorText)")
    }

    @Test func `a key that was overwritten with another of the same size and time is not used`() async throws {
        let lab = try await SharedLab()
        #expect(try await lab.exec("true").status == .exited(0))
        let other = try await KeyRing()
        let result = try await lab.vt.bash(
            "touch -r \"$1\" stamp; cat \"$2\" >\"$1\"; touch -r stamp \"$1\"; rm stamp; VT_SHARE=60s vt exec s true",
            lab.identity,
            other.path(.ed25519)
        )
        #expect(result.status == .exited(255))
        #expect(result.errorText.contains("auth.denied"), "\(result.errorText)")
    }

    @Test(arguments: ["off", "60s"])
    func `only the methods of PreferredAuthentications are tried`(_ share: String) async throws {
        let lab = try await SharedLab()
        let environment = ["VT_SHARE": share]
        let exec = try await lab.vt.run("exec", "s", "true", environment: environment)
        #expect(exec.status == .exited(0))
        for option in ["PreferredAuthentications=password", "PubkeyAuthentication=no"] {
            let result = try await lab.vt.run("ssh", "-o", option, "s", "true", environment: environment)
            #expect(result.status == .exited(255), "\(option)")
            #expect(result.errorText.contains("auth.denied"), "\(result.errorText)")
        }
    }

    @Test func `the timeout of one command does not apply to another that waits for the same connection`() async throws
    {
        let lab = try await SharedLab()
        lab.relay.stall()
        let patient = try lab.start("exec", "--connect-timeout", "100s", "s", "true")
        #expect(await eventually { lab.relay.connectionCount == 2 })
        let hasty = try await lab.vt.run(
            "exec",
            "--connect-timeout",
            "1s",
            "s",
            "true",
            environment: SharedLab.sharing
        )
        #expect(hasty.status == .exited(255))
        #expect(hasty.errorText.contains("did not answer within 1s"), "\(hasty.errorText)")
        #expect(patient.isRunning)
        lab.relay.resume()
        #expect(try await patient.wait() == .exited(0))
    }

    @Test func `a command tries again after the timeout of the command that it has waited for`() async throws {
        let lab = try await SharedLab()
        lab.relay.stall()
        let hasty = try lab.start("exec", "--connect-timeout", "3s", "s", "true")
        #expect(await eventually { lab.relay.connectionCount == 2 })
        let patient = try lab.start("exec", "--connect-timeout", "100s", "s", "true")
        #expect(try await hasty.wait() == .exited(255))
        #expect(patient.isRunning)
        lab.relay.resume()
        #expect(try await patient.wait() == .exited(0))
    }
}
