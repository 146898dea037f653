import Foundation
import TestSupport
import Testing

/// A session with processes that fork all the time, each of which counts its children in a shared file.
struct ProcessStorm {
    let vt: Vt
    private let path: String
    private let count: Int

    /// Half of the processes create children, and the others replace themselves with a child.
    private static let script = """
        import mmap, os, signal, struct, sys, time
        count, path = int(sys.argv[1]), sys.argv[2]
        # A few processes leave time for other tests; many leave it by their priority.
        pause = 0 if count >= 100 else 0.01
        os.nice(19)
        shared = mmap.mmap(os.open(path, os.O_RDWR), 8 * count)
        def step(index):
            time.sleep(pause)
            struct.pack_into("<Q", shared, 8 * index, struct.unpack_from("<Q", shared, 8 * index)[0] + 1)
        def create(index):
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            while True:
                child = os.fork()
                if child == 0:
                    step(index)
                    os._exit(0)
                try: os.waitpid(child, 0)
                except ChildProcessError: pass
        def replace(index):
            while True:
                if os.fork() != 0: os._exit(0)
                step(index)
        for index in range(count):
            if os.fork() == 0: (create if index % 2 else replace)(index)
        print("started", flush=True)
        signal.pause()
        """

    /// Creates the session `storm`, in `group` if that is not nil.
    init(_ count: Int, with vt: Vt, in group: TestControlGroup? = nil) async throws {
        (self.vt, self.count) = (vt, count)
        path = try vt.writeElsewhere(String(repeating: "\0", count: 8 * count), to: "counters")
        let script = try vt.writeElsewhere(Self.script, to: "storm.py")
        let words = ["sessions", "create", "storm", "--", "python3", script, "\(count)", path]
        try await (group?.call(words, with: vt) ?? vt.call(words)).check()
        try await vt.check("sessions", "wait", "storm", "--match", "^started", "--from", "0", "--timeout", "60s")
    }

    func counters() throws -> [UInt64] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return (0..<count).map { index in
            data[(8 * index)..<(8 * index + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// Waits until every process has counted on.
    func isRunning() async throws -> Bool {
        let before = try counters()
        return try await eventually { try zip(counters(), before).allSatisfy { $0 > $1 } }
    }

    /// Whether nothing is counted while other commands run.
    func isStill() async throws -> Bool {
        let before = try counters()
        for _ in 0..<3 { try await vt.check("sessions", "list") }
        return try counters() == before
    }
}

/// A control group that this process has created, in which sessions can be started.
final class TestControlGroup: Sendable {
    enum Version: CaseIterable { case one, two }

    private let directory: String

    /// Returns nil if this machine does not allow it.
    init?(_ version: Version) {
        let candidates = version == .two ? ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"] : ["/sys/fs/cgroup/freezer"]
        let file = version == .two ? "cgroup.freeze" : "freezer.state"
        for root in candidates {
            let path = "\(root)/vt-test-\(UUID().uuidString)"
            guard mkdir(path, 0o755) == 0 else { continue }
            if access("\(path)/\(file)", W_OK) == 0, access("\(path)/cgroup.procs", W_OK) == 0 {
                directory = path
                return
            }
            rmdir(path)
        }
        return nil
    }

    deinit {
        for child in children { rmdir("\(directory)/\(child)") }
        rmdir(directory)
    }

    /// The groups of sessions in this one.
    private var children: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasPrefix("vt-") }
    }

    var hasChild: Bool { !children.isEmpty }

    /// Whether the kernel has stopped the processes of all sessions in this group.
    var isFrozen: Bool {
        children.allSatisfy { child in
            ["cgroup.events", "freezer.state"].contains { name in
                let text = (try? String(contentsOfFile: "\(directory)/\(child)/\(name)", encoding: .utf8)) ?? ""
                return text.split(separator: "\n").contains { $0 == "frozen 1" || $0 == "FROZEN" }
            }
        }
    }

    /// A call of `vt` in the group.
    func call(_ words: [String], with vt: Vt) -> ProgramCall {
        let line = "echo $$ >'\(directory)/cgroup.procs' && exec \"$@\""
        return ProgramCall("/bin/sh", ["-c", line, "sh", TestTree.vt] + words, environment: vt.environment)
    }
}

extension Vt {
    /// The directory of a session.
    func directory(of session: String) async throws -> String {
        let id = try #require(try await run("sessions", "show", session, "--json").json()["id"] as? String)
        return "\(stateHome)/sessions/\(id)"
    }

    /// The process ID of the holder of a session.
    func holder(of session: String) async throws -> pid_t {
        let record = try Data(contentsOf: URL(fileURLWithPath: "\(try await directory(of: session))/session.json"))
        let members = try JSONSerialization.jsonObject(with: record) as? [String: Any]
        return pid_t(try #require(members?["holder_pid"] as? Int))
    }
}

/// The number of rounds of a test: `VT_TEST_ROUNDS`, or a few.
func testRounds(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["VT_TEST_ROUNDS"].flatMap { Int($0) } ?? usual
}
