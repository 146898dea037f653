import Core
import CoreTestSupport
import Foundation
import Glibc
import Services
import System
import TestSupport
import Testing

/// Changes that are easy to miss.
struct ChangedFileTests {
    private func setModificationTime(_ time: timespec, of name: String, in lab: TreeLab) throws {
        var times = [time, time]
        #expect(utimensat(AT_FDCWD, "\(lab.tree)/\(name)", &times, 0) == 0)
    }

    @Test func `a file that is changed without a change of its size and time is saved`() async throws {
        let lab = try await TreeLab()
        try lab.write("one", to: "a")
        let status = try #require(try RawFile.status(lab.path("a")))
        let first = try await lab.snapshot()
        try lab.write("two", to: "a")
        try setModificationTime(status.st_mtim, of: "a", in: lab)
        #expect(try await lab.snapshot().objectID != first.objectID)
        try await lab.rollBack(to: first.id)
        #expect(try lab.image()["a"]?.bytes == Array("one".utf8))
    }

    @Test func `a file that is changed twice in a second without a change of its size and time is saved`() async throws
    {
        let lab = try await TreeLab()
        let old = timespec(tv_sec: 1_577_836_800, tv_nsec: 0)
        var seconds: [time_t] = [0, 1]
        // Usually once.
        for _ in 0..<20 where seconds[0] != seconds[1] {
            try await beginningOfSecond()
            seconds = []
            var ids: [String] = []
            for text in ["two", "six"] {
                try lab.write(text, to: "a")
                try setModificationTime(old, of: "a", in: lab)
                seconds.append(try #require(try RawFile.status(lab.path("a"))).changeTime.seconds)
                ids.append(try await lab.snapshot().id)
            }
            let last = ids[1]
            #expect(
                try await lab.diff {
                    $0.from = ids[0]; $0.to = last
                } != ""
            )
            try await lab.rollBack(to: ids[0])
            #expect(try lab.image()["a"]?.bytes == Array("two".utf8))
            try await lab.rollBack(to: last)
            #expect(try lab.image()["a"]?.bytes == Array("six".utf8))
        }
        #expect(seconds[0] == seconds[1])
    }

    /// Waits until files get times in the next second.
    ///
    /// The times of files lag behind the clock by up to a tick, which is at most 10 ms (time(7), "The software clock, HZ,
    /// and jiffies").
    private func beginningOfSecond() async throws {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        try await ContinuousClock().pause(for: .nanoseconds(1_020_000_000 - now.tv_nsec))
    }

    @Test(arguments: [".gitignore", ".git/info/exclude"])
    func `files that are ignored after they were saved are not part of later snapshots`(_ rules: String) async throws {
        let lab = try await TreeLab()
        try lab.write("a", to: "a")
        let before = try await lab.snapshot()
        try lab.write("object", to: "build/o")
        try lab.write("secret", to: ".env")
        let saved = try await lab.snapshot()
        try lab.write("build/\n.env\n", to: rules)
        let later = try await lab.snapshot()
        #expect(later.fileCount == before.fileCount)
        try lab.write("secret 2", to: ".env")
        for snapshot in [later, before] {
            try await lab.rollBack(to: snapshot.id)
            #expect(try lab.image()[".env"]?.bytes == Array("secret 2".utf8))
            #expect(try lab.image()["build/o"]?.bytes == Array("object".utf8))
        }
        // It is in the way of the saved one.
        if rules != ".gitignore" {
            await #expect(throws: VTError.self) { try await lab.rollBack(to: saved.id) }
            #expect(try lab.image()[".env"]?.bytes == Array("secret 2".utf8))
        }
    }

    @Test func `files that git no longer tracks are not part of later snapshots if they are ignored`() async throws {
        let lab = try await TreeLab()
        try lab.write("1", to: "a.ign")
        try await lab.git("add", "-f", "a.ign")
        let tracked = try await lab.snapshot()
        try await lab.git("rm", "-q", "--cached", "a.ign")
        #expect(try await lab.snapshot().fileCount == tracked.fileCount - 1)
    }

    @Test func `files that a repository in the tree tracks are saved although the tree ignores them`() async throws {
        let lab = try await TreeLab()
        try lab.write("1", to: "sub/ignored/a")
        try lab.write("1", to: "sub/b.ign")
        try await lab.git("init", "-q", "sub")
        try await lab.git("-C", "sub", "add", "ignored/a")
        let first = try await lab.snapshot()
        try lab.write("2", to: "sub/ignored/a")
        try lab.write("2", to: "sub/ignored/c")
        try await lab.git("-C", "sub", "add", "ignored/c")
        #expect(try await lab.snapshot().fileCount == first.fileCount + 1)
        try await lab.rollBack(to: first.id)
        #expect(try lab.image(isIgnored: true)["sub/ignored/a"]?.bytes == Array("1".utf8))
        #expect(try lab.image(isIgnored: true)["sub/b.ign"]?.bytes == Array("1".utf8))
    }

    @Test(arguments: ["*.log", "/logs/", "logs/b.log"])
    func `files that git tracks are excluded on request`(_ pattern: String) async throws {
        let lab = try await TreeLab()
        try lab.write("1", to: "logs/b.log")
        try await lab.git("add", "-A")
        let all = try await lab.snapshot()
        let some = try await lab.snapshot { $0.scope.excludes = [pattern] }
        #expect(some.fileCount == all.fileCount - 1)
    }

    @Test func `the rules that a rollback restores apply to the next snapshot`() async throws {
        let lab = try await TreeLab()
        try lab.write("late\n", to: ".gitignore")
        try lab.write("1", to: "a")
        let first = try await lab.snapshot()
        try lab.write("", to: ".gitignore")
        try lab.write("1", to: "late")
        let second = try await lab.snapshot()
        #expect(second.fileCount == first.fileCount + 1)
        try await lab.rollBack(to: first.id) { $0.paths = [".gitignore"] }
        #expect(try await lab.snapshot().fileCount == first.fileCount)
    }

    @Test func `a damaged index is made again`() async throws {
        let lab = try await TreeLab()
        try lab.write("1", to: "a")
        let first = try await lab.snapshot()
        let index =
            lab.scratch.path("snapshots") + "/" + (try DirectoryListing.names(in: lab.scratch.path("snapshots"))[0])
        #expect(truncate("\(index)/git/index", 50) == 0)
        try lab.write("2", to: "a")
        #expect(try await lab.snapshot().objectID != first.objectID)
        try await lab.rollBack(to: first.id)
        #expect(try lab.image()["a"]?.bytes == Array("1".utf8))
    }
}
