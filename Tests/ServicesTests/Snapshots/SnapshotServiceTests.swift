import Core
import CoreTestSupport
import Foundation
import Services
import System
import TestSupport
import Testing

struct SnapshotServiceTests {
    @Test func `a tree without a repository can be saved and restored`() async throws {
        let lab = try await TreeLab(isRepository: false)
        try lab.write("one", to: "a")
        try lab.write("two", to: "sub/b", mode: 0o600)
        let snapshot = try await lab.snapshot { $0.name = "start" }
        #expect((snapshot.fileCount, snapshot.sizeBytes, snapshot.tree) == (2, 6, lab.tree))
        let before = try lab.image()
        try FileManager.default.removeItem(atPath: "\(lab.tree)/sub")
        try lab.write("new", to: "c")
        let result = try await lab.rollBack(to: "start")
        #expect(result.changes.map(\.path) == ["c", "sub/b"])
        #expect(try lab.image() == before)
    }

    @Test func `a dry run changes nothing, and takes no snapshot`() async throws {
        let lab = try await TreeLab()
        try lab.write("one", to: "a")
        let snapshot = try await lab.snapshot()
        try lab.write("two", to: "a")
        let before = try lab.image()
        let result = try await lab.rollBack(to: snapshot.id) { $0.isDryRun = true }
        #expect(result.changes.map(\.path) == ["a"])
        #expect(result.safety == nil)
        #expect(try lab.image() == before)
        #expect(try lab.service.snapshots(for: lab.origin).map(\.id) == [snapshot.id])
    }

    @Test func `the files of a repository itself are refused`() async throws {
        let lab = try await TreeLab()
        try lab.write("one", to: "a")
        try await lab.git("init", "-q", "--bare", "bare")
        for path in [".git", ".git/hooks", "bare", "bare/refs/heads"] {
            let error = try await failure { _ = try await lab.snapshot { $0.path = path } }
            #expect(error.code == .usage && error.message.contains("git repository itself"), "\(error.message)")
        }
        // A work tree can be inside a git directory.
        try await lab.git("init", "-q", "bare/inner")
        try lab.write("one", to: "bare/inner/a")
        #expect(try await lab.snapshot { $0.path = "bare/inner" }.fileCount == 1)
    }

    @Test func `vt's own files in the tree are not saved`() async throws {
        let lab = try await TreeLab(isRepository: false)
        try lab.write("one", to: "a")
        for includesIgnored in [false, true] {
            let snapshot = try await lab.snapshot {
                $0.path = lab.scratch.path
                $0.scope.includesIgnored = includesIgnored
                $0.name = "all-\(includesIgnored)"
            }
            #expect(snapshot.fileCount == 1, "\(snapshot)")
        }
        try lab.write("two", to: "a")
        let result = try await lab.rollBack(to: "all-true")
        #expect(result.changes.map(\.path) == ["home/tree/a"])
        #expect(try lab.service.snapshots(for: lab.origin).map(\.kind) == [.manual, .manual, .safety])
    }

    @Test func `hard links are replaced one after the other`() async throws {
        let lab = try await TreeLab(isRepository: false)
        try lab.write("one", to: "a")
        for name in ["b", "c", "d"] {
            try FileManager.default.linkItem(atPath: "\(lab.tree)/a", toPath: "\(lab.tree)/\(name)")
        }
        let snapshot = try await lab.snapshot()
        let before = try lab.image()
        try lab.write("two", to: "a")
        try FileManager.default.linkItem(atPath: "\(lab.tree)/a", toPath: "\(lab.tree)/e")
        let result = try await lab.rollBack(to: snapshot.id)
        #expect(result.changes.map(\.path) == ["a", "b", "c", "d", "e"])
        #expect(try lab.image() == before)
    }

    @Test func `a rollback without differences takes no snapshot, and a wrong path is an error`() async throws {
        let lab = try await TreeLab()
        try lab.write("one", to: "a")
        let snapshot = try await lab.snapshot()
        #expect(try await lab.rollBack(to: snapshot.id).safety == nil)
        try lab.write("two", to: "a")
        for path in ["nosuch", "../../x", "/etc/passwd", ".git/config"] as [ByteString] {
            let error = try await failure { try await lab.rollBack(to: snapshot.id) { $0.paths = [path] } }
            #expect(error.code == .notFound && error.message.contains("'\(path.repairedText)'"), "\(error.message)")
        }
        #expect(try lab.service.snapshots(for: lab.origin).map(\.id) == [snapshot.id])
    }

    @Test func `a name cannot be the start of an ID`() async throws {
        let lab = try await TreeLab()
        try lab.write("one", to: "a")
        let snapshot = try await lab.snapshot()
        let error = try await failure { _ = try await lab.snapshot { $0.name = String(snapshot.id.prefix(4)) } }
        #expect(error.code == .exists)
    }

    @Test func `one path can be rolled back`() async throws {
        let lab = try await TreeLab()
        for name in ["a", "sub/b", "subway"] { try lab.write("old", to: name) }
        let snapshot = try await lab.snapshot()
        for name in ["a", "sub/b", "sub/c", "subway"] { try lab.write("new", to: name, mode: 0o600) }
        var expected = try lab.image()
        let result = try await lab.rollBack(to: snapshot.id) { $0.paths = ["sub"] }
        #expect(result.changes.map(\.path) == ["sub/b", "sub/c"])
        expected["sub/b"] = TreeLab.Image(mode: S_IFREG | 0o644, bytes: Array("old".utf8))
        expected["sub/c"] = nil
        #expect(try lab.image() == expected)
    }

    @Test func `an ignored file in the way is named, and nothing is changed`() async throws {
        let lab = try await TreeLab()
        try lab.write("saved", to: "log")
        try lab.write("x", to: "other")
        let snapshot = try await lab.snapshot()
        try FileManager.default.removeItem(atPath: "\(lab.tree)/log")
        try lab.write("log\n", to: ".gitignore")
        _ = try await lab.snapshot()
        try lab.write("precious", to: "log")
        try lab.write("y", to: "other")
        let before = try lab.wholeImage(of: "")
        let error = try await failure { try await lab.rollBack(to: snapshot.id) }
        #expect(error.code == .exists)
        #expect(error.message.contains("'log'"))
        #expect(try lab.wholeImage(of: "") == before)
    }

    @Test func `a directory that is not writable is replaced by files and links`() async throws {
        let lab = try await TreeLab()
        try lab.write("file", to: "x")
        try RawFile.makeLink(lab.path("link"), to: "target")
        try lab.write("target", to: "target")
        let first = try lab.image()
        let snapshot = try await lab.snapshot()
        for name in ["x", "link"] {
            try FileManager.default.removeItem(atPath: "\(lab.tree)/\(name)")
            try lab.write("in", to: "\(name)/inner")
            try RawFile.setMode(lab.path(ByteString(name)), 0o500)
        }
        let second = try lab.image()
        let safety = try #require(try await lab.rollBack(to: snapshot.id).safety)
        #expect(try lab.image() == first)
        try await lab.rollBack(to: safety)
        #expect(try lab.image() == second)
    }

    @Test func `a directory with ignored files is not replaced by a file`() async throws {
        let lab = try await TreeLab()
        try lab.write("file", to: "x")
        let snapshot = try await lab.snapshot()
        try FileManager.default.removeItem(atPath: "\(lab.tree)/x")
        try lab.write("in", to: "x/inner")
        try lab.write("ignored", to: "x/deep/some.ign")
        let before = try lab.wholeImage(of: "")
        let error = try await failure { try await lab.rollBack(to: snapshot.id) }
        #expect(error.code == .exists)
        #expect(error.message.contains("'x/deep/some.ign'"), "\(error.message)")
        #expect(try lab.wholeImage(of: "") == before)
    }

    @Test func `files that are not ignored any more after a rollback stay, and are not saved by it`() async throws {
        let lab = try await TreeLab()
        try lab.write("1", to: "a")
        let snapshot = try await lab.snapshot()
        try lab.write("*.ign\nignored/\nbuild/\n", to: ".gitignore")
        try lab.write("2", to: "a")
        try lab.write("output", to: "build/b")
        let result = try await lab.rollBack(to: snapshot.id)
        #expect(result.changes.map(\.path) == [".gitignore", "a"])
        #expect(try lab.scratch.read("home/tree/build/b") == Array("output".utf8))
        let snapshots = try lab.service.snapshots(for: lab.origin)
        #expect(snapshots.map(\.fileCount) == [3, 3])
    }

    @Test func `a tree that was removed is created again`() async throws {
        let lab = try await TreeLab(isRepository: false)
        try lab.write("1", to: "sub/a", mode: 0o600)
        try FileManager.default.createDirectory(atPath: "\(lab.tree)/empty", withIntermediateDirectories: false)
        let snapshot = try await lab.snapshot()
        let before = try lab.image()
        try FileManager.default.removeItem(atPath: lab.tree)
        try await lab.rollBack(to: snapshot.id)
        #expect(try lab.image() == before)
    }

    @Test func `limits are checked before anything is written`() async throws {
        let lab = try await TreeLab()
        try lab.write(String(repeating: "x", count: 5000), to: "large")
        let file = try await failure { _ = try await lab.snapshot { $0.limits.fileBytes = 4999 } }
        #expect((file.code, file.message) == (.dataInvalid, "'large' is larger than 4999 bytes"))
        let store = try await failure { _ = try await lab.snapshot { $0.limits.storeBytes = 4999 } }
        #expect(store.code == .dataInvalid)
        let files = FileManager.default.enumerator(atPath: lab.scratch.path("snapshots"))?.allObjects as? [String]
        #expect(files?.contains { $0.contains(/objects\/[0-9a-f]{2}\//) } == false)
        #expect(try await lab.snapshot { $0.limits.fileBytes = 5000 }.omitted == [])
    }

    @Test func `ignored and excluded files are saved only on request`() async throws {
        let lab = try await TreeLab()
        try lab.write("1", to: "a.ign")
        try lab.write("1", to: "ignored/deep/b")
        try lab.write("1", to: "c.txt")
        let plain = try await lab.snapshot()
        let all = try await lab.snapshot { $0.scope.includesIgnored = true }
        let few = try await lab.snapshot { $0.scope.excludes = ["*.txt"] }
        #expect([plain, all, few].map(\.fileCount) == [3, 5, 2])
        for name in ["a.ign", "ignored/deep/b", "c.txt"] { try lab.write("2", to: name) }
        try await lab.rollBack(to: few.id)
        #expect(try lab.scratch.read("home/tree/c.txt") == Array("2".utf8))
        try await lab.rollBack(to: all.id)
        #expect(try lab.scratch.read("home/tree/ignored/deep/b") == Array("1".utf8))
        #expect(try lab.scratch.read("home/tree/c.txt") == Array("1".utf8))
    }

    @Test func `files that git tracks although they are ignored are saved`() async throws {
        let lab = try await TreeLab()
        try lab.write("1", to: "tracked.ign")
        try await lab.git("add", "-f", "tracked.ign")
        let snapshot = try await lab.snapshot()
        try lab.write("2", to: "tracked.ign")
        try await lab.rollBack(to: snapshot.id)
        #expect(try lab.scratch.read("home/tree/tracked.ign") == Array("1".utf8))
    }

    @Test func `special files are reported as not saved, and stay`() async throws {
        let lab = try await TreeLab()
        try lab.write("1", to: "sub/a")
        #expect(mkfifo("\(lab.tree)/sub/fifo", 0o644) == 0)
        #expect(mkfifo("\(lab.tree)/ignored.ign", 0o644) == 0)
        try lab.write("1", to: "x/.GIT/file")
        let snapshot = try await lab.snapshot()
        let omitted = Set(snapshot.omitted.map { "\($0.path.repairedText) \($0.reason.rawValue)" })
        #expect(omitted == ["sub/fifo special", "x/.GIT/file name"])
        try FileManager.default.removeItem(atPath: "\(lab.tree)/sub/a")
        try await lab.rollBack(to: snapshot.id)
        #expect(FileManager.default.fileExists(atPath: "\(lab.tree)/sub/fifo"))
        #expect(FileManager.default.fileExists(atPath: "\(lab.tree)/x/.GIT/file"))
    }

    @Test func `a directory that became a link is not followed`() async throws {
        let lab = try await TreeLab()
        try lab.write("1", to: "sub/a")
        let outside = try lab.scratch.makeDirectory("outside")
        try lab.scratch.write("outside", to: "outside/a")
        let snapshot = try await lab.snapshot()
        let before = try lab.image()
        try FileManager.default.removeItem(atPath: "\(lab.tree)/sub")
        try FileManager.default.createSymbolicLink(atPath: "\(lab.tree)/sub", withDestinationPath: outside)
        #expect(try await lab.snapshot().omitted == [])
        try await lab.rollBack(to: snapshot.id)
        #expect(try lab.image() == before)
        #expect(try lab.scratch.read("outside/a") == Array("outside".utf8))
    }

    @Test func `removed snapshots free their space, and the others remain whole`() async throws {
        let lab = try await TreeLab()
        try lab.write("kept", to: "a")
        let kept = try await lab.snapshot()
        try lab.scratch.write((0..<3_000_000).map { _ in UInt8.random(in: 0...255) }, to: "home/tree/large")
        let large = try await lab.snapshot { $0.name = "large" }
        try FileManager.default.removeItem(atPath: "\(lab.tree)/large")
        _ = try await lab.snapshot()
        #expect(try size(lab.scratch.path("snapshots")) > 3_000_000)
        #expect(
            try await failure { _ = try await lab.service.remove(["large", "none"], for: lab.origin) }.code == .notFound
        )
        #expect(try await lab.service.remove(["large"], for: lab.origin).map(\.id) == [large.id])
        #expect(try size(lab.scratch.path("snapshots")) < 1_000_000)
        try lab.write("changed", to: "a")
        try await lab.rollBack(to: kept.id)
        #expect(try lab.scratch.read("home/tree/a") == Array("kept".utf8))
    }

    @Test func `a snapshot is independent of the user's repository, and of its variables`() async throws {
        let lab = try await TreeLab(environment: ["GIT_DIR": "/nonexistent", "GIT_INDEX_FILE": "/nonexistent"])
        try lab.write("1", to: "a")
        try await lab.git("add", "a")
        try await lab.git("commit", "-q", "-m", "x", "--no-verify")
        let snapshot = try await lab.snapshot()
        #expect(snapshot.head == "master" || snapshot.head == "main")
        try FileManager.default.removeItem(atPath: "\(lab.tree)/.git")
        try FileManager.default.removeItem(atPath: "\(lab.tree)/a")
        try await lab.rollBack(to: snapshot.id)
        #expect(try lab.scratch.read("home/tree/a") == Array("1".utf8))
    }

    @Test func `the home directory must be named`() async throws {
        let lab = try await TreeLab()
        let home = SnapshotService.Origin(session: "000000000001", directory: lab.scratch.path("home"))
        let error = try await failure { _ = try await lab.service.create(SnapshotRequest(), for: home) }
        #expect(error.code == .usage)
        #expect(error.hint == "if that is intended, add --path \(lab.scratch.path("home"))")
        var request = SnapshotRequest()
        request.path = "."
        #expect(try await lab.service.create(request, for: home).tree == lab.scratch.path("home"))
    }

    @Test func `names are unique, and an ID can be shortened`() async throws {
        let lab = try await TreeLab()
        let snapshot = try await lab.snapshot { $0.name = "one" }
        #expect(try await failure { _ = try await lab.snapshot { $0.name = "one" } }.code == .exists)
        #expect(try await lab.rollBack(to: String(snapshot.id.prefix(6))).snapshot == snapshot.id)
        #expect(try await failure { try await lab.rollBack(to: String(snapshot.id.prefix(3))) }.code == .notFound)
    }

    private func size(_ path: String) throws -> Int {
        let names = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
        return try names.reduce(0) { total, name in
            total + (try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.size] as? Int ?? 0)
        }
    }
}
