import Foundation
import TestSupport
import Testing

/// Sessions that are removed at their end, or with `vt sessions kill --rm`.
@Suite(.crowded)
struct RemovalTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await Lab()
        try lab.linkVt()
        try await lab.meet()
    }

    private func names(on prefix: String) async throws -> [String] {
        let server = prefix.isEmpty ? "local" : String(prefix.dropLast())
        let text = try await vt.check("sessions", "list", server, "--json")
        let sessions = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        return try #require(sessions).compactMap { $0["name"] as? String }
    }

    /// The holder of the only session.
    private func holder(on prefix: String) throws -> pid_t {
        let directory = prefix.isEmpty ? "\(vt.stateHome)/sessions" : "\(lab.server.home)/.local/state/vt/sessions"
        let id = try FileManager.default.contentsOfDirectory(atPath: directory).first { $0.count == 12 }
        let record = try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(try #require(id))/session.json"))
        let members = try JSONSerialization.jsonObject(with: record) as? [String: Any]
        return pid_t(try #require(members?["holder_pid"] as? Int))
    }

    private func sockets(of process: pid_t) -> Int {
        let directory = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\(name)")
            return target?.hasPrefix("socket:") ?? false
        }
    }

    @Test(arguments: ["", "p:"])
    func `clients of a session that removes itself get its output and exit status`(prefix: String) async throws {
        let session = "\(prefix)x"
        let script = "stty -echo; echo up; read line; echo last; exit 3"
        try await vt.check("sessions", "create", session, "--rm", "--", "sh", "-c", script)
        #expect(try await vt.run("sessions", "show", session, "--json").json()["keep_for"] as? Int == 0)
        let clients = try [
            ["attach", session], ["sessions", "logs", session, "-f", "--exit-status"],
            ["record", session, "-f", "-o", "-", "--format", "raw"],
        ].map { try vt.call($0).start() }
        // attach shows only what is written after it has attached.
        for client in clients.dropFirst() { try await client.output.read(until: "up") }
        let waiter = try vt.call(["--json", "sessions", "wait", session, "--match", "^last", "--from", "0"]).start()
        let end = try vt.start("sessions", "wait", session, "--exit")
        // The listening socket, and one connection for each of the five clients.
        let holder = try holder(on: prefix)
        #expect(await eventually { sockets(of: holder) == 6 })
        try await vt.check("sessions", "send", session, "x", "--enter")
        for (client, status) in zip(clients, [3, 3, 0] as [Int32]) {
            #expect(try await client.output.read(until: "last").isEmpty == false)
            #expect(try await client.wait() == .exited(status))
        }
        #expect(try await waiter.wait() == .exited(0))
        #expect(try await end.wait() == .exited(3))
        let gone = try await vt.run("sessions", "wait", session, "--exit", "--timeout", "60s")
        #expect(gone.status == .exited(255) || gone.status == .exited(3), "\(gone.errorText)")
        // The name is free, even if the holder is only about to remove the session.
        try await vt.check("sessions", "create", session, "--", "true")
    }

    @Test(arguments: ["", "p:"])
    func `several commands kill and remove the same sessions`(prefix: String) async throws {
        for (name, option) in [("a", "--rm"), ("b", "--log-input")] {
            try await vt.check("sessions", "create", "\(prefix)\(name)", option, "--", "sleep", "1000")
        }
        let killers = try (0..<4).map { _ in
            try vt.start("sessions", "kill", "\(prefix)a", "\(prefix)b", "--remove", "--grace", "1s")
        }
        for killer in killers {
            let errors = String(decoding: await killer.errors.readToEnd(), as: UTF8.self)
            let status = try await killer.wait(deadline: .seconds(60))
            // A command that starts late does not find the session.
            #expect(status == .exited(0) || errors.contains("no such session"), "\(errors)")
        }
        #expect(try await names(on: prefix).isEmpty)
    }

    @Test func `a server whose vt is too old is reported, and gets no session`() async throws {
        let program = "\(lab.server.home)/.local/bin/vt"
        try FileManager.default.removeItem(atPath: program)
        // An older relay requires the name of a session.
        let script = """
            #!/bin/sh
            [ "$*" != relay ] || { echo "vt: missing operand 'SESSION' for 'vt relay'" >&2; exit 64; }
            exec \(TestTree.vt) "$@"

            """
        try ScratchDirectory.writeProgram(script, to: program)
        let result = try await vt.run("sessions", "create", "p:x", "--rm", "--", "true")
        #expect(result.status == .exited(76))
        #expect(
            result.errorText == """
                vt: vt on 'p' is too old for this vt
                hint: to install this version, use 'vt install p --force'

                """
        )
        try FileManager.default.removeItem(atPath: program)
        try lab.linkVt()
        #expect(try await names(on: "p:").isEmpty)
    }

    @Test func `readers get the whole output of a session that is removed meanwhile`() async throws {
        try await vt.check("sessions", "create", "x", "--", "seq", "200000")
        try await vt.check("sessions", "wait", "x", "--exit")
        let reader = try vt.start("sessions", "logs", "x")
        try await reader.output.read(until: "1\r\n")
        try await vt.check("sessions", "cleanup", "x")
        let rest = await reader.output.readToEnd()
        #expect(String(decoding: rest.suffix(8), as: UTF8.self) == "200000\r\n")
        #expect(try await reader.wait() == .exited(0))
        for words in [["record", "x", "-o", "-"], ["sessions", "logs", "x"]] {
            let result = try await vt.call(words).run()
            #expect(result.status == .exited(66))
            #expect(result.errorText.hasPrefix("vt: no such session: 'x'\n"))
        }
    }
}
