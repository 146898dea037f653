import Core
import CoreTestSupport
import Foundation
import Services
import TestSupport
import Testing

struct TreeDiffTests {
    @Test func `a diff contains new files, modes and removed files`() async throws {
        let lab = try await TreeLab()
        try lab.write("one\ntwo\n", to: "changed")
        try lab.write("gone\n", to: "gone.filt")
        try lab.write("same\n", to: "mode")
        let snapshot = try await lab.snapshot()
        lab.removeTrace()
        try lab.write("one\nthree\n", to: "changed")
        try FileManager.default.removeItem(atPath: "\(lab.tree)/gone.filt")
        try lab.write("same\n", to: "mode", mode: 0o600)
        try lab.write("new\r\n", to: "new.filt", mode: 0o755)
        let text = try await lab.diff()
        let expected = [
            "diff --git a/changed b/changed\n", "-two\n+three\n", "deleted file mode 100644\n", "-gone\n",
            "new file mode 100755\n", "+new\r\n", "diff --git a/mode b/mode\nold mode 100644\nnew mode 100600\n",
        ]
        for part in expected { #expect(text.contains(part), "\(text)") }
        #expect(!FileManager.default.fileExists(atPath: lab.trace))
        #expect(try await lab.diff { $0.format = .nameStatus } == "M\tchanged\nD\tgone.filt\nA\tnew.filt\nM\tmode\n")
        #expect(try await lab.diff { ($0.from, $0.to) = (snapshot.id, snapshot.id) } == "")
        #expect(try await lab.diff { ($0.paths, $0.format) = (["mode"], .nameStatus) } == "M\tmode\n")
    }

    @Test func `names can be any bytes`() async throws {
        let lab = try await TreeLab()
        _ = try await lab.snapshot()
        var tree = RandomTree(lab, seed: 1)
        try await tree.fill()
        let lines = try await lab.diff { $0.format = .files }.split(separator: "\n").map { line in
            let bytes = Array(line.utf8)
            return try FileChange(try JSONOutlineParser.parse(bytes), in: bytes)
        }
        let image = try lab.image().filter { $0.value.mode & S_IFMT != S_IFDIR }
        let known: Set<ByteString> = [".gitignore", ".gitattributes"]
        #expect(Set(lines.map(\.path)) == Set(image.keys).subtracting(known))
    }
}
