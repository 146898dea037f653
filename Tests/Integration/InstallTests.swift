import Foundation
import TestSupport
import Testing

/// `vt install`: uploads to a server, and rejected programs.
@Suite(.crowded, .sharing)
struct InstallTests {
    private let lab: Lab
    private let target: String
    private let program: String

    init() async throws {
        lab = try await Lab()
        program = try await SmallProgram.path()
        target = "\(lab.server.home)/.local/bin/vt"
    }

    private func install(_ file: String, _ options: String..., to profile: String = "p") async throws -> ProgramResult {
        try await lab.vt.call(["--json", "install", profile, "--file", file] + options).run()
    }

    /// The names of the files in the directory of the program, including the program itself.
    private var names: [String] {
        // A missing directory is treated as empty.
        (try? FileManager.default.contentsOfDirectory(atPath: (target as NSString).deletingLastPathComponent)) ?? []
    }

    private func contents(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test func `installs a complete vt that runs and is found`() async throws {
        let result = try await install(TestTree.vt)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let document = try result.json()
        #expect(document["outcome"] as? String == "installed")
        #expect(document["path"] as? String == target)
        #expect(document["size"] as? Int == (try contents(TestTree.vt).count))
        let sum = try await ProgramCall("sha256sum", [target]).check()
        #expect(document["sha256"] as? String == String(sum.prefix(64)))
        #expect(try contents(target) == contents(TestTree.vt))
        let attributes = try FileManager.default.attributesOfItem(atPath: target)
        #expect(attributes[.posixPermissions] as? Int == 0o755)
        #expect(names == ["vt"])
        let test = try await lab.vt.run("--json", "profile", "test", "p")
        #expect(try test.json()["vt"] as? String == document["version"] as? String)
    }

    @Test func `does not upload the same file again unless forced`() async throws {
        #expect(try await install(program).json()["outcome"] as? String == "installed")
        let before = try FileManager.default.attributesOfItem(atPath: target)[.systemFileNumber] as? Int
        #expect(try await install(program).json()["outcome"] as? String == "unchanged")
        #expect(try FileManager.default.attributesOfItem(atPath: target)[.systemFileNumber] as? Int == before)
        #expect(try await install(program, "--force").json()["outcome"] as? String == "replaced")
        #expect(try FileManager.default.attributesOfItem(atPath: target)[.systemFileNumber] as? Int != before)
    }

    @Test func `without a home directory, an absolute path is required`() async throws {
        for via in ["env -u HOME", "env HOME="] {
            try await lab.vt.check("profile", "add", "q", "--via", via, "--replace")
            let result = try await install(program, to: "q")
            #expect(result.status == .exited(73))
            let error = try result.jsonError()
            #expect(error["message"] as? String == "there is no home directory on 'q', because HOME is not set")
            #expect(error["hint"] as? String == "specify an absolute path with --path")
        }
        #expect(!FileManager.default.fileExists(atPath: "/.local/bin/vt"))
        let path = "\(lab.vt.home)/there"
        #expect(try await install(program, "--path", path, to: "q").status == .exited(0))
    }

    @Test func `replaces a running vt, which keeps running`() async throws {
        try await install("/bin/sleep", "--force").expectFailure(71)
        try FileManager.default.createDirectory(
            atPath: (target as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try ScratchDirectory.copyProgram("/bin/sleep", to: target)
        let running = try ProgramCall(target, ["1000"]).start()
        #expect(try await install(program).json()["outcome"] as? String == "replaced")
        #expect(running.isRunning)
        #expect(try contents(target) == contents(program))
    }

    @Test(arguments: ["bin/vt", "~/bin/vt", "a b/it's/vt"])
    func `a path is relative to the home directory`(path: String) async throws {
        let result = try await install(program, "--path", path)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let relative = path.hasPrefix("~/") ? String(path.dropFirst(2)) : path
        #expect(try contents("\(lab.server.home)/\(relative)") == contents(program))
    }

    @Test func `rejects a program for another architecture before creating anything`() async throws {
        var header = [UInt8](try contents(program).prefix(64))
        header.replaceSubrange(18..<20, with: [183, 0])
        header.replaceSubrange(56..<58, with: [0, 0])
        let scratch = try ScratchDirectory()
        let result = try await install(try scratch.write(header, to: "vt"))
        try result.expectFailure(65)
        #expect(try result.jsonError()["code"] as? String == "data.invalid")
        #expect(!FileManager.default.fileExists(atPath: "\(lab.server.home)/.local"))
    }

    @Test func `rejects files that are not programs, missing files, and a vt that is not portable`() async throws {
        try await install("/etc/passwd").expectFailure(65)
        try await install("/nowhere").expectFailure(66)
        // The vt beside the tests depends on libraries of the toolchain.
        let words = ["--json", "install", "p"]
        let running = try await ProgramCall(TestTree.builtVt, words, environment: lab.vt.environment).run()
        try running.expectFailure(65)
        #expect(
            try running.jsonError()["hint"] as? String
                == "run 'make portable', and specify the resulting binary with --file"
        )
        #expect(!lab.server.log.contains("Accepted"))
    }

    @Test func `a program other than vt does not replace the old one`() async throws {
        try await install(program).expectSuccess()
        for other in ["/bin/echo", "/bin/true"] {
            let result = try await install(other)
            try result.expectFailure(65)
            let message = "'\(other)' is not vt: 'version' does not print a version of vt"
            #expect(try result.jsonError()["message"] as? String == message)
            #expect(names == ["vt"])
            #expect(try contents(target) == contents(program))
        }
    }

    @Test func `a program that does not run on the server does not replace the old one`() async throws {
        try await install(program).expectSuccess()
        let scratch = try ScratchDirectory()
        let file = try scratch.write(contents(program).prefix(4096), to: "vt")
        let result = try await install(file)
        #expect([65, 71].contains(result.exit))
        #expect(try contents(target) == contents(program))
        #expect(names == ["vt"])
    }

    @Test func `output of the login shell's startup files is ignored`() async throws {
        // bash(1) reads this file if it is started by sshd.
        try Data("echo Welcome; echo; printf 'vt 9'".utf8).write(to: URL(filePath: "\(lab.server.home)/.bashrc"))
        let version = try await lab.vt.run("--json", "version").json()["version"] as? String
        for outcome in ["installed", "unchanged"] {
            let result = try await install(TestTree.vt)
            #expect(try result.json()["outcome"] as? String == outcome, "\(result.errorText)")
            #expect(try result.json()["version"] as? String == version)
        }
    }

    @Test func `installs on a server without SFTP`() async throws {
        let server = try await OpenSSHServer(.init(hasFiles: false))
        let identity = server.userKeys.path(.ed25519)
        let address = "\(server.user)@127.0.0.1:\(server.port)"
        try await lab.vt.check("profile", "add", "bare", address, "--no-agent", "--identity", identity)
        try await install(program, to: "bare").expectSuccess()
        #expect(try contents("\(server.home)/.local/bin/vt") == contents(program))
    }

    @Test func `names the reason if the server runs another command`() async throws {
        let lab = try await Lab(.init(lines: ["ForceCommand echo 'This account is currently not available.'; exit 1"]))
        let result = try await lab.vt.run("--json", "install", "p", "--file", program)
        try result.expectFailure(71)
        let message = "cannot determine the system type of 'p': This account is currently not available."
        #expect(try result.jsonError()["message"] as? String == message)
    }

    @Test func `names the reason if a file cannot be created`() async throws {
        let result = try await install(program, "--path", "/proc/none/vt")
        try result.expectFailure(73)
        #expect(try result.jsonError()["hint"] as? String == "specify another path with --path")
        let message = try #require(try result.jsonError()["message"] as? String)
        #expect(message.hasPrefix("cannot create '/proc/none/.vt-install-"))
        #expect(message.hasSuffix("No such file or directory"))
    }

    /// Starts to replace an installed program; returns when the upload has started.
    private func startUpload() async throws -> (RunningProgram, Relay) {
        try await install(program).expectSuccess()
        let relay = try Relay(to: lab.server.port)
        try await lab.addProfile("r", port: relay.port)
        // The upload of a larger program is not complete before it is noticed.
        let large = try lab.vt.writeElsewhere("", to: "large")
        try Data(contentsOf: URL(fileURLWithPath: TestTree.vt)).write(to: URL(fileURLWithPath: large))
        #expect(truncate(large, 200 << 20) == 0 && chmod(large, 0o755) == 0)
        let running = try lab.vt.start("install", "r", "--file", large)
        #expect(await eventually { names.count == 2 })
        return (running, relay)
    }

    @Test func `fails if the upload is killed on the server, and keeps the old program`() async throws {
        let (running, relay) = try await startUpload()
        relay.stall()
        // The shell creates the file before it starts cat.
        #expect(await eventually { lab.server.processes.contains { ProcessTable.command($0) == "cat" } })
        let upload = lab.server.processes.last { ProcessTable.command($0) == "cat" }
        kill(try #require(upload, "\(lab.server.commands)"), SIGKILL)
        relay.resume()
        #expect(try await running.wait(deadline: .seconds(20)) == .exited(74))
        #expect(names == ["vt"])
        #expect(try contents(target) == contents(program))
    }

    @Test func `an upload whose connection is lost does not replace the old program`() async throws {
        let (running, relay) = try await startUpload()
        relay.cut()
        #expect(try await running.wait(deadline: .seconds(20)) == .exited(69))
        #expect(await eventually { names == ["vt"] })
        #expect(try contents(target) == contents(program))
    }

    @Test func `an upload whose client is killed leaves only the old program on the server`() async throws {
        let (running, relay) = try await startUpload()
        relay.stall()
        running.kill()
        relay.resume()
        #expect(await eventually { names == ["vt"] })
        #expect(try contents(target) == contents(program))
    }

    @Test func `an interrupted upload leaves only the old program on the server`() async throws {
        let (running, relay) = try await startUpload()
        relay.stall()
        running.signal(SIGINT)
        relay.resume()
        #expect(try await running.wait(deadline: .seconds(20)) == .signalled(SIGINT))
        #expect(names == ["vt"])
        #expect(try contents(target) == contents(program))
    }
}

extension ProgramResult {
    fileprivate func expectFailure(_ status: Int32, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(exit == status, "\(errorText)", sourceLocation: sourceLocation)
        #expect(output.isEmpty, sourceLocation: sourceLocation)
    }

    fileprivate func expectSuccess(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(exit == 0, "\(errorText)", sourceLocation: sourceLocation)
    }
}
