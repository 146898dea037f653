import Core
import Foundation
import SessionHost
import TestSupport
import Testing

struct SessionStartTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    @Test func `a session keeps every byte of the output, and the exit status`() async throws {
        let record = try await lab.create("build", "echo first; echo last; exit 3")
        #expect(record.state == .running || record.state == .exited)
        let ended = try await lab.end(of: record)
        #expect(ended.state == .exited)
        #expect(ended.exit == .exited(3))
        #expect(ended.outputBytes == 13)
        #expect(try lab.text(of: record) == "first\r\nlast\r\n")
    }

    @Test func `a short session loses neither its first byte nor its exit status`() async throws {
        for round in 0..<200 {
            let record = try await lab.host.create(try lab.request("r\(round)", "/usr/bin/printf", "x"))
            let ended = try await lab.end(of: record)
            try #require(ended.exit == .exited(0), "round \(round)")
            try #require(try lab.output(of: record) == [UInt8(ascii: "x")], "round \(round)")
            try #require(try await lab.host.remove(record.id), "round \(round)")
        }
    }

    @Test(arguments: [
        (9, Core.ExitStatus.signalled(SignalName("KILL"), coreDumped: false)),
        (15, Core.ExitStatus.signalled(SignalName("TERM"), coreDumped: false)),
    ])
    func `reports the signal that ended the program`(_ number: Int, _ expected: Core.ExitStatus) async throws {
        let record = try await lab.create("s", "kill -\(number) $$")
        #expect(try await lab.end(of: record).exit == expected)
    }

    @Test(arguments: [
        ("/no/such/program", "/", VTError.Code.notFound), ("true", "/no/such/directory", .notFound),
        ("/etc/passwd", "/", .system),
    ])
    func `a failed start leaves no session`(_ program: String, _ directory: String, _ code: VTError.Code)
        async throws
    {
        var request = try lab.request("x", program)
        request.directory = directory
        let error = await #expect(throws: VTError.self) { try await lab.host.create(request) }
        #expect(error?.code == code)
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(lab.directory.path)/names").isEmpty)
    }

    @Test(.timeLimit(.minutes(5))) func `reports the outcome of a start`() async throws {
        let record = try await lab.end(of: try await lab.create("x", "true"))
        #expect(await lab.isReleased(record.id))
        let files = lab.files(record)
        try FileManager.default.removeItem(atPath: files.record)
        let lock = open(files.lock, O_RDWR | O_CLOEXEC)
        try #require(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        #expect(try lab.host.session("x").state == .starting)
        let changes = try lab.host.startChanges(of: record.id)
        async let isReported = changes()
        close(lock)
        #expect(try await isReported)
        #expect(await eventually { (try? lab.host.session("x").state) == .failed })
        #expect(try await lab.host.remove(record.id))
        #expect(try await changes())
        let error = #expect(throws: VTError.self) { try lab.host.startChanges(of: record.id) }
        #expect(error?.code == .notFound)
    }

    @Test func `a name belongs to one session`() async throws {
        _ = try await lab.create("one", "true")
        let error = await #expect(throws: VTError.self) { try await lab.create("one", "true") }
        #expect(error?.code == .exists)
        #expect(try lab.host.sessions(SilentDiagnostics()).count == 1)
    }

    @Test func `only one of many concurrent creations gets the name`() async throws {
        let lab = lab
        let made = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<12 { group.addTask { (try? await lab.create("one", "sleep 1000")) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 1)
        #expect(try lab.host.sessions(SilentDiagnostics()).map(\.name) == ["one"])
    }

    @Test func `the program has the requested size, terminal, directory and umask`() async throws {
        var request = try lab.request("x", "sh", "-c", "stty size; echo $TERM $VT_SESSION; pwd; umask; tty | cut -c1-9")
        request.creation.size = try #require(TerminalSize(columns: 132, rows: 43))
        request.creation.terminalType = "vt100"
        request.environment += ["TERM=dumb", "VT_SESSION=other"]
        let record = try await lab.host.create(request)
        _ = try await lab.end(of: record)
        let mask = umask(0)
        umask(mask)
        let octal = String(mask, radix: 8)
        #expect(
            try lab.text(of: record).split(separator: "\r\n").map(String.init) == [
                "43 132", "vt100 \(record.id.text)", lab.scratch.path,
                String(repeating: "0", count: 4 - octal.count) + octal, "/dev/pts/",
            ]
        )
    }

    @Test func `passes arguments and variables byte for byte`() async throws {
        let odd = ByteString([0x61, 0xff, 0x20, 0x27])
        var request = try lab.request("x", "sh", "-c", #"printf '%s|%s' "$1" "$ODD" | od -An -tx1"#, "sh")
        request.creation.command.append(odd)
        request.environment.append("ODD=" + odd)
        let record = try await lab.host.create(request)
        _ = try await lab.end(of: record)
        #expect(try lab.text(of: record) == " 61 ff 20 27 7c 61 ff 20 27\r\n")
    }

    @Test func `holder and program inherit no descriptors from their creator`() async throws {
        let extra = open("/dev/zero", O_RDONLY)
        defer { close(extra) }
        let record = try await lab.create("x", "ls /proc/self/fd | tr '\\n' ' '; sleep 1000")
        #expect(try await lab.output(of: record, holds: "2 3 "))
        #expect(try lab.text(of: record) == "0 1 2 3 ")
        let holder = try #require(record.holder?.processID)
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(holder)/fd").map { name in
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(holder)/fd/\(name)")
        }
        let files = lab.files(record)
        // The record and its directory are open while the holder syncs them.
        let own = [
            files.output, files.events, files.lock, files.record, files.directory, "/dev/ptmx", "/dev/pts/ptmx",
            "/dev/null",
        ]
        let foreign = links.filter { !own.contains($0) && !$0.hasPrefix("socket:") && $0 != "anon_inode:[signalfd]" }
        #expect(foreign.isEmpty)
        #expect(links.count { $0.hasPrefix("socket:") } == 1)
    }

    @Test func `supports a path that is too long for a socket address`() async throws {
        let lab = try HolderLab(depth: 6)
        let record = try await lab.create("x", "sleep 1000")
        #expect(lab.files(record).socket.utf8.count > 107)
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.status)
        guard case .record = try await client.next() else {
            Issue.record("no record")
            return
        }
    }

    @Test func `all files are accessible only to their owner`() async throws {
        let record = try await lab.create("x", "sleep 1000")
        let files = lab.files(record)
        for path in [files.record, files.output, files.events, files.lock, files.socket] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(path)")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: files.directory)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
}
