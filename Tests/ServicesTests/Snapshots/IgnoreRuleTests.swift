import Core
import CoreTestSupport
import Foundation
import Glibc
@testable import Services
import System
import TestSupport
import Testing

/// Ignore rules that git has, and files that no snapshot contains whatever the rules are.
struct IgnoreRuleTests {
    private func names(_ snapshot: Snapshot, in lab: TreeLab) async throws -> [String] {
        let store = try lab.service.place(ofTree: snapshot.tree).store
        let output = try await store.git.output(["ls-tree", "-r", "-z", "--name-only", ByteString(snapshot.objectID)])
        return Git.paths(output).map(\.repairedText).filter { !$0.hasPrefix(".git") }
    }

    @Test func `rules that ignore themselves apply when they appear, change and disappear`() async throws {
        let lab = try await TreeLab()
        for name in ["venv/bin/python", "venv/lib/x", "a"] { try lab.write("1", to: name) }
        #expect(try await names(lab.snapshot(), in: lab) == ["a", "venv/bin/python", "venv/lib/x"])
        try lab.write("*\n", to: "venv/.gitignore")
        #expect(try await names(lab.snapshot(), in: lab) == ["a"])
        try lab.write(".gitignore\nlib\n", to: "venv/.gitignore")
        #expect(try await names(lab.snapshot(), in: lab) == ["a", "venv/bin/python"])
        try lab.write("1", to: "venv/lib/y")
        try FileManager.default.removeItem(atPath: "\(lab.tree)/venv/.gitignore")
        #expect(try await names(lab.snapshot(), in: lab).count == 4)
    }

    @Test func `the file for all repositories can be relative to the work tree`() async throws {
        let lab = try await TreeLab()
        try lab.write("*.rel\n", to: "rules.ign")
        for name in ["a.rel", "sub/b.rel", "c"] { try lab.write("1", to: name) }
        try await lab.git("config", "core.excludesFile", "rules.ign")
        #expect(try await names(lab.snapshot(), in: lab) == ["c"])
    }

    @Test func `the file for all repositories is where git looks for it`() async throws {
        let lab = try await TreeLab()
        let repository = try #require(UserRepository(containing: lab.tree))
        func file(_ configured: ByteString?, _ variables: [String: String]) -> ByteString {
            repository.excludesFile(configured, Environment(variables))
        }
        #expect(file(nil, ["HOME": "/h", "XDG_CONFIG_HOME": "/x"]) == "/x/git/ignore")
        #expect(file(nil, ["HOME": "/h", "XDG_CONFIG_HOME": ""]) == "/h/.config/git/ignore")
        #expect(file("/etc/ignore", ["HOME": "/h", "XDG_CONFIG_HOME": "/x"]) == "/etc/ignore")
        #expect(file("ignore", ["HOME": "/h"]) == ByteString("\(lab.tree)/ignore"))
    }

    @Test func `a byte order mark is not a part of a rule`() async throws {
        let lab = try await TreeLab()
        try lab.write("\u{FEFF}a.bom\n", to: ".git/info/exclude")
        try lab.write("\u{FEFF}b.bom\n", to: "rules.ign")
        try await lab.git("config", "core.excludesFile", "\(lab.tree)/rules.ign")
        for name in ["a.bom", "b.bom", "c"] { try lab.write("1", to: name) }
        #expect(try await names(lab.snapshot(), in: lab) == ["c"])
    }

    @Test func `rules of the repository apply to a tree below its top`() async throws {
        let lab = try await TreeLab()
        try lab.write("/sub/build\n*.ign\n", to: ".gitignore")
        for name in ["sub/build/a", "sub/b.ign", "sub/c"] { try lab.write("1", to: name) }
        func take() async throws -> [String] {
            try await names(lab.snapshot { $0.path = "\(lab.tree)/sub" }, in: lab)
        }
        #expect(try await take() == ["c"])
        try lab.write("*.ign\n", to: ".gitignore")
        #expect(try await take() == ["build/a", "c"])
        try lab.write("/sub/c\n", to: ".gitignore")
        #expect(try await take() == ["b.ign", "build/a"])
    }

    @Test(.asRoot) func `tracked files of a repository of another user are saved although they are ignored`()
        async throws
    {
        let lab = try await TreeLab()
        try lab.write("1", to: "tracked.ign")
        try lab.write("1", to: "nested/tracked.ign")
        try await lab.git("add", "-f", "tracked.ign")
        try await lab.git("init", "-q", "nested")
        try await lab.git("-C", "nested", "add", "-f", "tracked.ign")
        try await ProgramCall("chown", ["-R", "65534:65534", lab.tree]).check()
        #expect(try await names(lab.snapshot(), in: lab) == ["nested/tracked.ign", "tracked.ign"])
    }

    @Test func `tracked files in a directory whose name is not UTF-8 are saved although they are ignored`() async throws
    {
        let lab = try await TreeLab()
        let directory = lab.path(ByteString([0x64, 0xFF]))
        try RawFile.makeDirectory(directory, mode: 0o755)
        let script = "cd \"$1\"/d* && git init -q && echo 1 >a.ign && git add -f a.ign"
        try await ProgramCall("sh", ["-c", script, "sh", lab.tree], environment: ["HOME": lab.tree]).check()
        #expect(try await lab.snapshot().fileCount == 3)
    }

    // MARK: - Exclusions

    @Test(arguments: [
        (["*.log"], ["a", "keep.logs"]), (["/sub/"], ["a", "b.log", "keep.log", "keep.logs"]),
        (["*.log", "!keep.log"], ["a", "keep.log", "keep.logs", "sub/keep.log"]),
        (["sub/*"], ["a", "b.log", "keep.log", "keep.logs"]),
        (["**/sub", "a"], ["b.log", "keep.log", "keep.logs"]),
        (["a/"], ["a", "b.log", "keep.log", "keep.logs", "sub/deep/c.log", "sub/keep.log"]),
        (["sub/**/c.log"], ["a", "b.log", "keep.log", "keep.logs", "sub/keep.log"]),
        (["[ab]*", "keep.???"], ["keep.logs", "sub/deep/c.log"]),
    ])
    func `no rule of the tree is stronger than an exclusion`(_ excludes: [String], _ saved: [String]) async throws {
        let lab = try await TreeLab()
        try lab.write("!keep.log\n!*/\n!*.log\n", to: ".gitignore")
        for name in ["a", "b.log", "keep.log", "keep.logs", "sub/keep.log", "sub/deep/c.log"] {
            try lab.write("1", to: name)
        }
        try await lab.git("add", "-A")
        for includesIgnored in [false, true] {
            let snapshot = try await lab.snapshot {
                $0.scope.excludes = excludes
                $0.scope.includesIgnored = includesIgnored
            }
            #expect(try await names(snapshot, in: lab) == saved)
        }
    }

    @Test(arguments: [false, true])
    func `vt's own files are not saved whatever the rules are`(_ isLinked: Bool) async throws {
        let lab = try await TreeLab()
        let vt = try Vt()
        try lab.write("!*/\n!*\n", to: ".gitignore")
        try FileManager.default.createDirectory(atPath: "\(lab.tree)/state", withIntermediateDirectories: true)
        let link = lab.scratch.path("link")
        symlink("\(lab.tree)/state", link)
        let environment = ["VT_HOME": isLinked ? link : "\(lab.tree)/state"]
        func run(_ words: String...) async throws { try await vt.call(words, environment: environment).check() }
        try await run("sessions", "create", "s", "--cwd", lab.tree, "--", "sleep", "inf")
        try lab.write("1", to: "a")
        try await run("snapshot", "create", "s", "--name", "start")
        try lab.write("2", to: "a")
        try await run("snapshot", "create", "s", "--name", "all", "--include-ignored")
        try await run("rollback", "s", "start", "--yes", "--force")
        #expect(try lab.scratch.read("home/tree/a") == Array("1".utf8))
        let files = try await vt.call(["snapshot", "show", "s", "all", "--json"], environment: environment).check()
        #expect(files.contains("\"files\":3,"), "\(files)")
        try await run("sessions", "kill", "s")
    }

    @Test func `a path that is too long is reported`() async throws {
        let lab = try await TreeLab(isRepository: false)
        try lab.write("1", to: "a")
        let script = """
            cd "$1" && name=$(printf 'd%.0s' $(seq 200)) && for i in $(seq 25); do mkdir $name && cd $name || exit; done
            echo 1 >deep
            """
        try await ProgramCall("bash", ["-c", script, "bash", lab.tree]).check()
        let snapshot = try await lab.snapshot()
        #expect(snapshot.fileCount == 1)
        #expect(snapshot.omitted.map(\.reason) == [.tooLong])
        try lab.write("2", to: "a")
        try await lab.rollBack(to: snapshot.id)
        #expect(try lab.scratch.read("home/tree/a") == Array("1".utf8))
        try await ProgramCall("rm", ["-rf", lab.tree]).check()
    }
}
