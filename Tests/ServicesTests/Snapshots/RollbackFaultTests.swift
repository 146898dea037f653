import Foundation
import Services
import System
import TestSupport
import Testing

/// Snapshots and rollbacks that are killed, or that have no space.
struct RollbackFaultTests {
    private let vt: Vt
    private let tree: String

    init() throws {
        vt = try Vt()
        tree = "\(vt.home)/tree"
    }

    /// Names of files with their contents.
    private typealias Files = [String: String]

    private static let before: Files = ["a": "a1", "b/c": "c1", "b/d": "d1", "x": "x1", "y/z": "z1"]
    private static let after: Files = ["a": "a2", "b": "b2", "n/e": "e2", "x": "x1", "y/z/deep": "z2"]

    private func write(_ files: Files) throws {
        // It does not exist at first.
        try? FileManager.default.removeItem(atPath: tree)
        for (name, text) in files {
            let path = "\(tree)/\(name)"
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true
            )
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
    }

    private func files() throws -> Files {
        var files: Files = [:]
        let names = FileManager.default.enumerator(atPath: tree)?.allObjects as? [String] ?? []
        for name in names {
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(tree)/\(name)", isDirectory: &isDirectory)
            if !isDirectory.boolValue { files[name] = try String(contentsOfFile: "\(tree)/\(name)", encoding: .utf8) }
        }
        return files
    }

    private func create() async throws {
        try await vt.check("sessions", "create", "s", "--cwd", tree, "--", "sleep", "inf")
    }

    @Test(arguments: Fault.allCases.drop { $0 != .snapshotPrepared })
    func `a killed rollback can be finished or undone`(_ fault: Fault) async throws {
        try write(Self.before)
        try await create()
        try await vt.check("snapshot", "create", "s", "--name", "start")
        for name in Self.before.keys.map({ $0.split(separator: "/")[0] }) {
            try? FileManager.default.removeItem(atPath: "\(tree)/\(name)")
        }
        for (name, text) in Self.after {
            let path = "\(tree)/\(name)"
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true
            )
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        try await vt.check("snapshot", "create", "s", "--name", "edited")
        let rollback = ["rollback", "s", "start", "--yes", "--force"]
        let killed = try await vt.call(rollback, environment: ["VT_FAULT": fault.rawValue]).run()
        #expect(killed.exit == 99, "\(killed.errorText)")
        for (name, text) in try files() where !name.hasPrefix(".vt-rollback-") {
            #expect([Self.before[name], Self.after[name]].contains(text), "\(name)")
        }
        // Every file of both states can still be restored.
        let again = try await vt.call(rollback).run()
        #expect(again.exit == 0, "\(again.errorText)")
        #expect(try files() == Self.before)
        try await vt.check("rollback", "s", "edited", "--yes", "--force")
        #expect(try files() == Self.after)
        #expect(try FileManager.default.contentsOfDirectory(atPath: tree).filter { $0.hasPrefix(".vt") } == [])
    }

    @Test(arguments: Fault.allCases.filter { $0.rawValue.hasPrefix("snapshot:") })
    func `a killed snapshot leaves the others whole`(_ fault: Fault) async throws {
        try write(Self.before)
        try await create()
        try await vt.check("snapshot", "create", "s", "--name", "start")
        try "changed".write(toFile: "\(tree)/a", atomically: true, encoding: .utf8)
        let killed = try await vt.call(["snapshot", "create", "s"], environment: ["VT_FAULT": fault.rawValue]).run()
        #expect(killed.exit == 99, "\(killed.errorText)")
        try await vt.check("snapshot", "create", "s", "--name", "changed")
        try await vt.check("rollback", "s", "start", "--yes", "--force")
        #expect(try files() == Self.before)
        try await vt.check("rollback", "s", "changed", "--yes", "--force")
        #expect(try files()["a"] == "changed")
    }

    /// With a limit for the size of files, a write fails as on a full disk.
    @Test func `a rollback without space for a file changes nothing`() async throws {
        try write(["large": String(repeating: "x", count: 300_000), "small": "s1"])
        try await create()
        try await vt.check("snapshot", "create", "s", "--name", "start")
        try write(["small": "s2"])
        let result = try await vt.bash("ulimit -f 200; vt rollback s start --yes --force")
        #expect(result.exit == 74, "\(result.errorText)")
        #expect(try files() == ["small": "s2"])
        try await vt.check("rollback", "s", "start", "--yes", "--force")
        #expect(try files()["large"]?.count == 300_000)
    }

    /// A tmpfs in a mount namespace that disappears with its last process.
    @Test(.asRoot, arguments: [64, 128, 256, 384, 448])
    func `a full disk leaves the tree as before or as the snapshot`(_ kibibytes: Int) async throws {
        let line = """
            set -e
            mount -t tmpfs -o size=512k tmpfs "$1"
            cd "$1"
            for i in $(seq 8); do head -c 16k /dev/urandom >old$i; done
            vt sessions create s --cwd "$1" -- sleep inf >/dev/null
            vt snapshot create s --name start >/dev/null
            rm old*
            for i in 1 2 3; do echo $i >new$i; done
            head -c ${2}k /dev/zero >filler.ign 2>/dev/null || true
            echo '*.ign' >.gitignore
            before=$(tar --sort=name --mtime=@0 --exclude=filler.ign -c . | sha256sum)
            if vt rollback s start --yes --force >/dev/null; then
                test -e old8 && test ! -e new1
                echo restored
            else
                test "$before" = "$(tar --sort=name --mtime=@0 --exclude=filler.ign -c . | sha256sum)"
                rm filler.ign
                vt rollback s start --yes --force >/dev/null
                test -e old8 && test ! -e new1
                echo refused
            fi
            vt sessions kill s >/dev/null
            """
        let mount = "\(vt.home)/mount"
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
        var call = ProgramCall(
            "/usr/bin/unshare",
            ["--mount", "--propagation", "private", "bash", "-c", line, "bash", mount, "\(kibibytes)"]
        )
        call.environment.merge(vt.environment) { $1 }
        let result = try await call.run()
        #expect(result.text == (kibibytes < 300 ? "restored\n" : "refused\n"), "\(result.errorText)")
    }

    /// A tmpfs with the store of the snapshots.
    @Test(.asRoot, arguments: [64, 128, 200, 300, 400])
    func `a full store leaves the snapshots whole`(_ kibibytes: Int) async throws {
        let line = """
            set -e
            mkdir -p "$VT_HOME/snapshots" "$1"
            mount -t tmpfs -o size=512k tmpfs "$VT_HOME/snapshots"
            cd "$1"
            echo one >a
            vt sessions create s --cwd "$1" -- sleep inf >/dev/null
            vt snapshot create s --name start >/dev/null
            echo two >a
            head -c 100k /dev/urandom >large
            head -c ${2}k /dev/zero >"$VT_HOME/snapshots/filler" 2>/dev/null || true
            objects() { find "$VT_HOME/snapshots" -path '*/objects/*' -type f | sort; }
            before=$(objects)
            if vt snapshot create s --name full >/dev/null 2>&1; then
                echo saved
            else
                echo refused
                test "$(objects)" = "$before"
            fi
            test -z "$(find "$VT_HOME/snapshots" -name 'tmp_*')"
            test "$(cat a)" = two
            rm "$VT_HOME/snapshots/filler"
            vt snapshot list s --ids >/dev/null
            vt rollback s start --yes --force >/dev/null
            test "$(cat a)" = one
            vt sessions kill s >/dev/null
            """
        var call = ProgramCall(
            "/usr/bin/unshare",
            ["--mount", "--propagation", "private", "bash", "-c", line, "bash", tree, "\(kibibytes)"]
        )
        call.environment.merge(vt.environment) { $1 }
        let result = try await call.run()
        #expect(result.exit == 0, "\(result.errorText)")
        #expect(["saved\n", "refused\n"].contains(result.text))
    }
}
