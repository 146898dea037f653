import Arguments
import Commands
import Core
import Foundation
import TestSupport
import Testing

/// Checks the output of vt with `--json` against the descriptions from which docs/json.md is generated.
@Suite struct JSONReferenceTests {
    private static let commands = CommandTable.tree.overview.documents()

    /// A run of vt.
    private struct Step {
        var words: [String]
        /// The exit status; nil if it depends on the machine.
        var exit: Int32? = 0

        init(_ words: String..., exit: Int32? = 0) {
            (self.words, self.exit) = (words, exit)
        }
    }

    @Test func `real runs and samples match the descriptions, and contain every field`() async throws {
        let server = try await OpenSSHServer()
        try Self.linkVt(to: server)
        let vt = try Vt()
        let cast = try vt.writeElsewhere(Self.richRecording, to: "rich.cast")
        let configuration = try vt.writeElsewhere("Host imported\n  HostName 127.0.0.1\n", to: "config")
        var check = DocumentCheck()
        var unused = Set(Self.commands.filter { !$0.documents.isEmpty }.map(\.command))
        let steps =
            try Self.servers(server, configuration) + Self.sessions + Self.recordings(in: vt.home, cast) + Self.general
            + Self.snapshots + Self.speech(vt)
        // These commands run until they are terminated.
        let serving = try vt.start("--json", "serve", "--listen", "127.0.0.1:0")
        let serve = try #require(Self.command(for: ["serve"]))
        try Self.check(Array(try await serving.output.read(until: "\n").utf8), of: serve, &check)
        unused.remove(serve.command)
        for step in steps {
            var call = vt.call(["--json"] + step.words, environment: ["VT_SHARE": "60s"])
            call.directory = vt.home
            let result = try await call.run()
            #expect(step.exit == nil || result.exit == step.exit, "\(step.words): \(result.errorText)")
            let command = try #require(Self.command(for: step.words))
            unused.remove(command.command)
            try Self.check(result.output, of: command, &check)
        }
        serving.signal(SIGTERM)
        let forwarding = try vt.start("--json", "forward", "q", "-D", "0")
        let forward = try #require(Self.command(for: ["forward"]))
        try Self.check(Array(try await forwarding.output.read(until: "\n").utf8), of: forward, &check)
        unused.remove(forward.command)
        forwarding.signal(SIGTERM)
        let failure = try await vt.run("--json", "profile", "show", "nothing")
        let errors = try #require(Self.commands.first { $0.command == "vt" })
        try Self.check(failure.errors, of: errors, &check)
        unused.remove(errors.command)
        for sample in try JSONSamples.all() { try check.check(sample.document, is: sample.type, from: "sample") }
        #expect(check.problems == [])
        #expect(unused == [], "no step runs these commands")
        let described = Self.commands.flatMap(\.documents).map { DocumentCheck.fields(of: $0.type) }
        #expect(Set(described.joined()).subtracting(check.seen) == [], "these fields never occur")
    }

    @Test func `no two objects have the same name and different fields`() {
        var fields: [String: [String]] = [:]
        for object in Self.commands.flatMap(\.documents).flatMap(\.type.objects) {
            let names = object.fields.map(\.name)
            #expect(fields[object.name, default: names] == names, "\(object.name)")
            fields[object.name] = names
        }
    }

    // MARK: - Runs

    /// Creates a link to vt on the server, at the path where `vt install` would put the program.
    private static func linkVt(to server: OpenSSHServer) throws {
        let directory = "\(server.home)/.local/bin"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: "\(directory)/vt", withDestinationPath: TestTree.vt)
    }

    /// Creates a directory with a file whose name is not UTF-8, and returns its path.
    private static func latinDirectory(in home: String) throws -> String {
        let path = "\(home)/latin"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        close(open("\(path)/".utf8CString.dropLast() + [-1, 0], O_WRONLY | O_CREAT, 0o600))
        return path
    }

    private static func servers(_ server: OpenSSHServer, _ configuration: String) throws -> [Step] {
        let address = "\(server.user)@127.0.0.1:\(server.port)"
        let key = ["--no-agent", "--identity", server.userKeys.path(.ed25519)]
        let port = try LoopbackPort.free()
        var steps = [
            Step("profile", "add", "p", address), Step("profile", "add", "down", "x@127.0.0.1:\(port)"),
            Step("host", "scan", "p"), Step("host", "trust", "--all", "p"), Step("host", "list"),
            Step("host", "forget", "p"), Step("profile", "test", "p"), Step("profile", "list"),
            Step("profile", "show", "p"), Step("profile", "edit", "p", "--note", "text", "--share", "2m"),
            Step("profile", "rename", "p", "q"), Step("profile", "import", configuration),
            Step("profile", "remove", "imported"), Step("exec", "q,local", "echo x; echo y >&2"),
            Step("key", "generate", "k"), Step("key", "list"), Step("key", "show", "k"),
            Step("key", "import", "i", server.userKeys.path(.rsa)), Step("key", "deploy", "q", "--key", "i"),
            Step("key", "remove", "k"),
            Step("profile", "connections"), Step("install", "q", "--file", TestTree.vt, "--path", "vt"),
            Step("sessions", "list", "down", "local"), Step("ls", "q:/etc"),
            Step("copy", "/etc/passwd", "/missing", "q:\(server.home)", exit: 1),
            Step("copy", "-r", try latinDirectory(in: server.home), "q:\(server.home)/copy"),
            Step("copy", "/etc/passwd", "q,q@127.0.0.1:\(server.home)", exit: 1),
        ]
        steps[0].words += key
        return steps
    }

    private static let sessions = [
        Step("sessions", "create", "s", "--", "cat"), Step("sessions", "send", "s", "hello", "--enter"),
        Step("sessions", "wait", "s", "--match", "hello"), Step("sessions", "wait", "s", "--screen", "hello"),
        Step("sessions", "list"), Step("sessions", "show", "s"),
        Step("sessions", "logs", "s"), Step("sessions", "screen", "s"),
        Step("sessions", "screen", "s", "--find", "hello"),
        Step("sessions", "screen", "s", "--expect", "s", "--update"),
        Step("sessions", "screen", "s", "--region", "1x1+0+0", "--expect", "s", exit: 1),
        Step("sessions", "resize", "s", "100x30"),
        Step("sessions", "mark", "s", "here"), Step("sessions", "rename", "s", "t"), Step("sessions", "kill", "t"),
        Step("sessions", "wait", "t", "--exit", exit: nil), Step("sessions", "cleanup", "t"),
        Step("sessions", "create", "b", "--", "bash"),
        Step("sessions", "exec", "b", "--raw", "--max-output", "2", "printf '123\\377'; false", exit: 1),
        Step("sessions", "exec", "b", "echo", "text"), Step("sessions", "show", "b"),
        Step("sessions", "exec", "b", "--return-on-input", "read -p name: x", exit: 124),
        Step("sessions", "send", "b", "--enter", "--wait", "prompt"),
        Step("sessions", "history", "b"), Step("queue", "add", "b", "--exec", "echo queued"), Step("queue", "flush"),
        Step("queue", "list"), Step("queue", "drop", "--session", "b"),
        Step("share", "b"), Step("share", "--list"),
        Step("sessions", "freeze", "b"), Step("sessions", "resume", "b"),
        Step("sessions", "pause", "b"), Step("sessions", "resume", "b"),
        Step("sessions", "ask", "b", "--detach", "log in"), Step("sessions", "ask", "b", "--done"),
        Step("sessions", "reap", "--max-active", "1000", "--action", "freeze"), Step("sessions", "kill", "b"),
        Step("sessions", "cleanup", "b"),
        Step("sessions", "run", "r", "--rm", "--", "echo", "x"),
    ]

    private static let snapshots = [
        Step("sessions", "create", "w", "--cwd", "~", "--auto-snapshot", "--", "bash"),
        Step("sessions", "exec", "w", "mkdir w && cd w && seq 9 >a"), Step("snapshot", "create", "w", "--name", "n"),
        Step("sessions", "exec", "w", "mv a b"), Step("diff", "w", "n"), Step("snapshot", "list", "w"),
        Step("sessions", "show", "w"), Step("snapshot", "show", "w", "n"), Step("rollback", "w", "n", "--yes"),
        Step("snapshot", "remove", "w", "n"), Step("sessions", "kill", "w"),
    ]

    private static func recordings(in directory: String, _ rich: String) -> [Step] {
        let plain = "\(directory)/plain.cast"
        return [
            Step("record", "-o", plain, "--", "echo", "hello"),
            Step("record", "-o", "\(directory)/remote.cast", "--profile", "q", "--", "true"),
            Step("cast", "info", plain),
            Step("cast", "info", rich, "--lenient"),
            Step("cast", "grep", "hello", plain), Step("cast", "grep", "--count", "hello", plain),
            Step("cast", "screen", plain),
        ]
    }

    /// A recording with everything that a header and events can contain, and an unreadable line.
    private static let richRecording = """
        {"version":3,"term":{"cols":80,"rows":24,"type":"xterm","version":"1",\
        "theme":{"fg":"#ffffff","bg":"#000000",\
        "palette":"#000000:#000000:#000000:#000000:#000000:#000000:#000000:#000000"}},\
        "timestamp":1,"title":"t","command":"c","env":{"SHELL":"/bin/sh"},"idle_time_limit":2}
        [0.5,"o","x"]
        [0.5,"i","x"]
        [0.5,"m","x"]
        [0.5,"r","100x30"]
        unreadable
        [0.5,"x","0"]

        """

    private static let general = [
        Step("doctor", exit: nil), Step("version"), Step("help"), Step("help", "profile"), Step("help", "exec"),
        Step("help", "exit-codes"),
    ]

    /// Speech that an engine understands, and a list of phrases with a problem.
    private static func speech(_ vt: Vt) throws -> [Step] {
        let phrases = try vt.writeElsewhere("list\tls\n", to: "phrases")
        let wrong = try vt.writeElsewhere("list\n", to: "wrong")
        let audio = try vt.writeElsewhere("", to: "note.wav")
        let format: [UInt8] = [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3E, 0, 0, 0, 0x7D, 0, 0, 2, 0, 16, 0]
        let header = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVEfmt ".utf8) + format
        let data = Array("data".utf8) + [0, 0, 0, 0] + [UInt8](repeating: 0x20, count: 6400)
        try Data(header + data).write(to: URL(fileURLWithPath: audio))
        return [
            Step("transcribe", audio, "--engine", "command:sh -c 'echo list' {file}", "--phrases", phrases),
            Step("transcribe", "--check", wrong, exit: 1),
        ]
    }

    private static func command(for words: [String]) -> CommandOverview.Documents? {
        [2, 1].lazy.compactMap { count in
            let name = (["vt"] + words.prefix(count)).joined(separator: " ")
            return commands.first { $0.command == name }
        }.first
    }

    /// Checks that the output of a command matches one of its documents.
    private static func check(
        _ output: [UInt8],
        of command: CommandOverview.Documents,
        _ check: inout DocumentCheck
    ) throws {
        #expect(!output.isEmpty, "\(command.command)")
        var attempts: [DocumentCheck] = []
        for document in command.documents {
            var attempt = check
            let lines = output.split(separator: UInt8(ascii: "\n")).map { Array($0) }
            // Output with a document on each line is not a single document, and vice versa.
            let pieces = document.form == .lines ? lines : [output]
            do {
                for piece in pieces { try attempt.check(piece, is: document.type, from: command.command) }
                attempts.append(attempt)
            } catch let error as JSONSyntaxError {
                #expect(command.documents.count > 1, "\(command.command): \(error.message)")
            }
        }
        check = try #require(attempts.min { $0.problems.count < $1.problems.count }, "\(command.command)")
    }
}
