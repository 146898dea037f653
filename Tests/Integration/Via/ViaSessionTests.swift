import Foundation
import TestSupport
import Testing

/// Sessions and the installation of vt through the standard streams of programs.
@Suite(.crowded)
struct ViaSessionTests {
    private static let echo = "while read -r line; do echo \"<$line>\"; [ \"$line\" = end ] && exit 5; done"

    @Test(arguments: [ViaLab.Transport.env, .shell, .bwrap])
    func `sessions can be created, watched, driven and ended`(_ transport: ViaLab.Transport) async throws {
        let lab = try await ViaLab(transport)
        try lab.linkVt()
        try await lab.vt.check("sessions", "create", "p:s", "--env", "A=a b", "--", "sh", "-c", "echo $A; \(Self.echo)")
        #expect(try await lab.vt.check("sessions", "list", "p").contains("running"))
        let following = try lab.vt.start("sessions", "logs", "-f", "p:s")
        try await following.output.read(until: "a b")
        try await lab.vt.check("sessions", "send", "p:s", "one", "--enter")
        try await lab.vt.check("sessions", "wait", "p:s", "--match", "<one>")
        #expect(try await lab.vt.check("sessions", "screen", "p:s").hasPrefix("a b\none\n<one>\n"))
        try await lab.vt.check("sessions", "resize", "p:s", "99x33")
        #expect(try await lab.vt.check("sessions", "show", "p:s").contains("99x33"))
        try await lab.vt.check("sessions", "send", "p:s", "end", "--enter")
        #expect(try await lab.vt.run("sessions", "wait", "p:s", "--exit").status == .exited(5))
        #expect(try await following.wait(deadline: .seconds(20)) == .exited(0))
        try await lab.vt.check("sessions", "create", "p:k", "--", "sleep", "1000")
        try await lab.vt.check("sessions", "kill", "p:k")
        #expect(try await lab.vt.check("doctor", "p").contains("ok   vt"))
        let cast = "\(lab.home)/s.cast"
        try await lab.vt.check("record", "p:s", "-o", cast)
        #expect(try String(contentsOfFile: cast, encoding: .utf8).contains("<one>"))
    }

    @Test func `attach resizes the session, and reconnects when the program dies`() async throws {
        let lab = try await ViaLab()
        try lab.linkVt()
        try await lab.vt.check("sessions", "create", "p:s", "--", "sh", "-c", "stty -echo; \(Self.echo)")
        let window = try await TerminalWindow(columns: 91, rows: 23, environment: lab.vt.environment)
        try await window.enter("clear; vt attach p:s; echo status=$?")
        try await window.wait { !$0.contains("vt attach") }
        try await window.enter("one")
        try await window.wait(for: "<one>")
        #expect(try await lab.vt.check("sessions", "show", "p:s").contains("91x23"))
        let relay = lab.vt.processes.first { ProcessTable.command($0).hasSuffix("vt relay") }
        kill(try #require(relay), SIGKILL)
        try await window.enter("two")
        try await window.wait { $0.contains("<one>\n<two>\n") && !$0.contains("vt: ") }
        try await window.enter("end")
        try await window.wait(for: "status=5")
    }

    @Test func `a session that cannot be reached at first is not retried`() async throws {
        let lab = try await ViaLab()
        let runs = "\(lab.home)/runs"
        try await lab.addProfile("q", "sh -c 'echo run >>\(runs); exit 1'")
        for command in [["attach", "q:s"], ["sessions", "logs", "-f", "q:s"]] {
            let result = try await lab.vt.call(command).run(deadline: .seconds(10))
            #expect([69, 255].contains(result.exit))
        }
        #expect(try String(contentsOfFile: runs, encoding: .utf8) == "run\nrun\n")
    }

    @Test(arguments: [ViaLab.Transport.env, .chroot, .ssh])
    func `installs a program`(_ transport: ViaLab.Transport) async throws {
        let lab = try await ViaLab(transport)
        let program = try await SmallProgram.path()
        let install = ["--json", "install", "p", "--file", program, "--path", "/tmp/\(UUID().uuidString)/a b/vt"]
        let result = try await lab.vt.call(install).run()
        #expect(result.status == .exited(0), "\(result.errorText)")
        let document = try result.json()
        #expect(document["outcome"] as? String == "installed")
        let path = try #require(document["path"] as? String)
        let place = transport == .chroot ? lab.root + path : path
        #expect(FileManager.default.contentsEqual(atPath: place, andPath: program))
        let attributes = try FileManager.default.attributesOfItem(atPath: place)
        #expect(attributes[.posixPermissions] as? Int == 0o755)
        #expect(try await lab.vt.call(install).run().json()["outcome"] as? String == "unchanged")
        #expect(try await lab.vt.call(install + ["--force"]).run().json()["outcome"] as? String == "replaced")
        let directory = (place as NSString).deletingLastPathComponent
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["vt"])
        try FileManager.default.removeItem(atPath: (directory as NSString).deletingLastPathComponent)
    }

    @Test func `reports why an installation cannot write its destination`() async throws {
        let lab = try await ViaLab()
        let result = try await lab.vt.run("--json", "install", "p", "--file", "/bin/echo", "--path", "/proc/x/vt")
        #expect(try result.jsonError()["code"] as? String == "cannot-create", "\(result.errorText)")
        #expect(result.status == .exited(73))
    }
}
