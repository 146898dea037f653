import Core
import Foundation
import Services
import TestSupport
import Testing

/// Snapshots and rollbacks of random trees; only root can read and replace files whatever their permissions.
@Suite(.asRoot) struct RandomTreeTests {
    private static let rounds = ProcessInfo.processInfo.environment["VT_TEST_ROUNDS"].flatMap { Int($0) } ?? 8

    @Test(arguments: 1...rounds)
    func `a rollback restores every name, byte, mode and link`(_ seed: Int) async throws {
        let lab = try await TreeLab()
        var tree = RandomTree(lab, seed: seed)
        try await tree.fill()
        try await lab.git("add", "-A", ".gitignore")
        try await lab.git("commit", "-q", "-m", "start", "--no-verify")
        try await lab.git("status", "--short")
        lab.removeTrace()
        let repository = try lab.wholeImage(of: ".git")
        let first = try lab.image()

        let saved = try await lab.snapshot()
        #expect(saved.omitted == [])
        #expect(try lab.image() == first)
        var second = first
        // A change can concern only ignored files.
        while second == first {
            try tree.change()
            second = try lab.image()
        }
        let ignored = try lab.image(isIgnored: true)

        let result = try await lab.rollBack(to: saved.id)
        expectEqual(try lab.image(), first)
        let safety = try #require(result.safety)
        try await lab.rollBack(to: safety)
        expectEqual(try lab.image(), second)
        try await lab.rollBack(to: saved.id)
        expectEqual(try lab.image(), first)
        #expect(try lab.image(isIgnored: true) == ignored)
        #expect(try lab.wholeImage(of: ".git") == repository)
        #expect(!FileManager.default.fileExists(atPath: lab.trace))
    }

    /// Links with names of git, FIFOs, mounts, attributes of chattr(1), other owners, sticky directories, special modes,
    /// hard links, and a program that exchanges a directory with a link.
    @Test(arguments: 1...rounds, [0, 65534])
    func `nothing outside is touched, and no file is lost`(_ seed: Int, _ user: Int) async throws {
        let vt = try Vt()
        let line = """
            set -e
            chmod 755 ~/.. ~; mkdir -p "$VT_HOME" ~/work; chown "$2:$2" ~ "$VT_HOME" ~/work
            exec python3 "$3" ~/work "$1" "$2"
            """
        let words = ["--mount", "--propagation", "private", "bash", "-c", line, "bash", "\(seed)", "\(user)"]
        var call = ProgramCall("/usr/bin/unshare", words + [TestTree.support("hostile_tree.py")])
        call.environment.merge(vt.environment) { $1 }
        let result = try await call.run()
        #expect(result.status == .exited(0), "\(result.errorText)")
    }

    /// Lists only the files that differ.
    private func expectEqual(_ image: [ByteString: TreeLab.Image], _ expected: [ByteString: TreeLab.Image]) {
        let names = Set(image.keys).union(expected.keys).filter { image[$0] != expected[$0] }
        let differences = names.map { name in
            let texts = [image[name], expected[name]].map { file in
                file.map { String($0.mode, radix: 8) + " \($0.bytes.count) bytes" } ?? "none"
            }
            return "\(name.repairedText): \(texts[0]) instead of \(texts[1])"
        }
        #expect(differences.sorted() == [])
    }
}
