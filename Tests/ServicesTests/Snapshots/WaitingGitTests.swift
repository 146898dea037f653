import Core
import CoreTestSupport
import Foundation
import Glibc
import Services
import System
import TestSupport
import Testing

/// FIFOs that git would wait for, and locks that are held.
struct WaitingGitTests {
    private static let files = [
        ".gitignore", ".gitattributes", "sub/.gitignore", "sub/.gitattributes", "new/.gitignore",
        "new/deep/.gitattributes", ".git/HEAD", ".git/index", ".git/config", ".git/packed-refs", ".git/commondir",
        ".git/info/exclude", "nested/.git/HEAD", "nested/.git/index", "nested/.git/config", "rules.txt", ".mailmap",
        ".gitmodules", "plain",
    ]

    @Test(.timeLimit(.minutes(2)), arguments: files)
    func `a snapshot does not wait for a FIFO`(_ name: String) async throws {
        let lab = try await TreeLab()
        for file in ["sub/a", "nested/a", "nested/b.ign"] { try lab.write("1", to: file) }
        try await lab.git("init", "-q", "nested")
        try await lab.git("-C", "nested", "add", "-f", ".")
        try await lab.git("config", "core.excludesFile", "\(lab.tree)/rules.txt")
        _ = try await lab.snapshot()
        for file in ["sub/a", "nested/a", "new/deep/b", "new/c"] { try lab.write("22", to: file) }
        // It need not exist.
        try? FileManager.default.removeItem(atPath: "\(lab.tree)/\(name)")
        #expect(mkfifo("\(lab.tree)/\(name)", 0o644) == 0)
        do throws(VTError) {
            _ = try await takeSnapshot(lab)
        } catch {
            #expect(error.code == .dataInvalid)
            #expect(error.message.contains("\(name)' is a FIFO"), "\(error.message)")
        }
        try FileManager.default.removeItem(atPath: "\(lab.tree)/\(name)")
    }

    private func takeSnapshot(_ lab: TreeLab) async throws(VTError) {
        _ = try await lab.service.create(SnapshotRequest(), for: lab.origin)
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["exec", "send"])
    func `a snapshot that fails does not hold up a command`(_ verb: String) async throws {
        let vt = try Vt()
        let tree = "\(vt.home)/tree"
        try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
        try await vt.check("sessions", "create", "s", "--auto-snapshot", "--cwd", tree, "--", "bash")
        try await vt.check("sessions", "wait", "s", "--prompt")
        mkfifo("\(tree)/.gitignore", 0o644)
        let result = try await run(verb, vt)
        #expect(result.exit == 0, "\(result.errorText)")
        #expect(result.errorText.contains("no snapshot was taken: '.gitignore' is a FIFO"), "\(result.errorText)")
        try FileManager.default.removeItem(atPath: "\(tree)/.gitignore")
        let stores = "\(vt.stateHome)/snapshots"
        let store = try #require(try FileManager.default.contentsOfDirectory(atPath: stores).first)
        let lock = try OpenFile(opening: "\(stores)/\(store)/lock", O_RDWR)
        #expect(try lock.tryLock())
        let held = try await run(verb, vt)
        lock.unlock()
        #expect(held.exit == 0, "\(held.errorText)")
        #expect(held.errorText.contains("no snapshot was taken"), "\(held.errorText)")
    }

    private func run(_ verb: String, _ vt: Vt) async throws -> ProgramResult {
        verb == "exec"
            ? try await vt.run("sessions", "exec", "s", "true", "--timeout", "8s")
            : try await vt.run("sessions", "send", "s", "true", "--enter", "--wait", "prompt", "--timeout", "8s")
    }
}
