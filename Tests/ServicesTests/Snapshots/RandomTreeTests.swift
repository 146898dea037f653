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
