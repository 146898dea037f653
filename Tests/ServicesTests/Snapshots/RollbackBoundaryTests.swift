import Core
import CoreTestSupport
import Foundation
import Glibc
import Services
import Synchronization
import System
import TestSupport
import Testing

/// What a rollback must not touch: files outside the tree, and files of the user that only look like its own.
struct RollbackBoundaryTests {
    /// A directory that no rollback may change.
    private struct Outside {
        let path: String
        private let before: [String: String]

        init(_ lab: TreeLab, files: [String]) throws {
            path = try lab.scratch.makeDirectory("outside")
            for file in files { try lab.scratch.write("outside", to: "outside/\(file)", mode: 0o600) }
            chmod(path, 0o711)
            before = try Self.image(path)
        }

        func expectUnchanged() throws {
            #expect(try Self.image(path) == before)
        }

        private static func image(_ path: String) throws -> [String: String] {
            var image: [String: String] = [:]
            for name in ["."] + (try FileManager.default.subpathsOfDirectory(atPath: path)) {
                var status = stat()
                #expect(lstat("\(path)/\(name)", &status) == 0)
                let isFile = status.st_mode & S_IFMT == S_IFREG
                let text = isFile ? try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) : ""
                image[name] = "\(String(status.st_mode, radix: 8)) \(status.st_uid) \(text)"
            }
            return image
        }
    }

    private static let reservedNames = [
        ".gitmodules", ".GITMODULES", ".gitModules", "sub/.gitmodules", ".gitattributes", ".GitAttributes",
        ".gitignore", ".GITIGNORE", ".mailmap", ".Mailmap",
    ]

    @Test(arguments: reservedNames)
    func `a link with a name of git is saved or reported, and is not followed`(_ name: String) async throws {
        let lab = try await TreeLab(isRepository: false)
        let outside = try Outside(lab, files: ["secret"])
        try lab.write("*.none\n", to: name)
        let file = try await lab.snapshot()
        try FileManager.default.removeItem(atPath: "\(lab.tree)/\(name)")
        symlink("\(outside.path)/secret", "\(lab.tree)/\(name)")
        let link = try await lab.snapshot()
        let linked = try lab.image()
        let isSaved = link.fileCount == 1
        #expect(isSaved || link.omitted == [OmittedFile(named: name, .name)])
        if isSaved {
            try await lab.rollBack(to: file.id)
            #expect(try lab.image()[ByteString(name)]?.mode == S_IFREG | 0o644)
            try await lab.rollBack(to: link.id)
        } else {
            let error = try await failure { try await lab.rollBack(to: file.id) }
            #expect(error.code == .exists, "\(error.message)")
        }
        #expect(try lab.image() == linked)
        try outside.expectUnchanged()
    }

    @Test func `a file with another mode, of which a link is outside, is replaced`() async throws {
        let lab = try await TreeLab(isRepository: false)
        let outside = try Outside(lab, files: ["secret"])
        try lab.write("outside", to: "secret")
        let snapshot = try await lab.snapshot()
        try FileManager.default.removeItem(atPath: "\(lab.tree)/secret")
        try FileManager.default.linkItem(atPath: "\(outside.path)/secret", toPath: "\(lab.tree)/secret")
        let result = try await lab.rollBack(to: snapshot.id)
        #expect(result.changes.map(\.path) == ["secret"])
        #expect(try lab.image()["secret"]?.mode == S_IFREG | 0o644)
        try outside.expectUnchanged()
    }

    // MARK: - Swapped directories

    private static let rounds = ProcessInfo.processInfo.environment["VT_TEST_ROUNDS"].flatMap { Int($0) } ?? 40

    /// Exchanges files of a tree with symbolic links all the time.
    private final class Swapper: Sendable {
        private let isEnding = Mutex(false)
        private let hasEnded = Mutex(false)

        init(_ pairs: [(String, String)]) {
            Thread {
                while !self.isEnding.withLock({ $0 }) {
                    for (file, link) in pairs {
                        _ = FileContents.exchange(file, link)
                        usleep(500)
                        _ = FileContents.exchange(file, link)
                        usleep(1500)
                    }
                }
                self.hasEnded.withLock { $0 = true }
            }
            .start()
        }

        func end() async {
            isEnding.withLock { $0 = true }
            #expect(await eventually { self.hasEnded.withLock { $0 } })
        }
    }

    @Test func `nothing is written through a directory that is exchanged with a link`() async throws {
        let lab = try await TreeLab(isRepository: false)
        let names = (0..<60).map { "f\($0)" }
        let outside = try Outside(lab, files: names + ["deep/f0", "deep/f1"])
        func write(_ text: String, mode: Int) throws {
            for name in names + ["deep/f0", "deep/f1"] { try lab.write(text, to: "d/\(name)", mode: mode) }
            try lab.write(text, to: "top", mode: mode)
        }
        try write("one", mode: 0o644)
        for index in 0..<20 { try FileManager.default.removeItem(atPath: "\(lab.tree)/d/f\(index)") }
        chmod("\(lab.tree)/d", 0o750)
        let first = try await lab.snapshot()
        let before = try lab.image()
        try write("two", mode: 0o640)
        for index in 20..<40 { try FileManager.default.removeItem(atPath: "\(lab.tree)/d/f\(index)") }
        for index in 40..<50 { try lab.write("one", to: "d/f\(index)", mode: 0o604) }
        try lab.write("new", to: "d/new/n")
        chmod("\(lab.tree)/d", 0o500)
        let second = try await lab.snapshot()
        let after = try lab.image()
        let away = try lab.scratch.makeDirectory("away")
        symlink(outside.path, "\(away)/d")
        symlink("\(outside.path)/deep", "\(away)/deep")
        symlink("\(outside.path)/f0", "\(away)/top")
        let swapper = Swapper([
            ("\(lab.tree)/d", "\(away)/d"), ("\(lab.tree)/d/deep", "\(away)/deep"), ("\(lab.tree)/top", "\(away)/top"),
        ])
        for round in 1...Self.rounds {
            // It can fail because of the changes.
            _ = try? await lab.rollBack(to: round.isMultiple(of: 2) ? first.id : second.id)
        }
        await swapper.end()
        try outside.expectUnchanged()
        try await lab.rollBack(to: first.id)
        #expect(try lab.image() == before)
        try await lab.rollBack(to: second.id)
        #expect(try lab.image() == after)
    }

    // MARK: - The user's own files

    @Test func `directories that only look like those of a rollback stay, and are saved`() async throws {
        let lab = try await TreeLab()
        try lab.write("1", to: ".vt-rollback-notes/mine")
        try lab.write("1", to: ".vt-rollback-0123456789ab/0")
        try lab.write("1", to: "sub/.vt-rollback-0123456789ab/deep/0")
        try lab.write("1", to: "a")
        let snapshot = try await lab.snapshot()
        let before = try lab.image()
        #expect(snapshot.fileCount == 6)
        try lab.write("2", to: "a")
        try lab.write("2", to: ".vt-rollback-notes/deep/mine")
        let safety = try #require(try await lab.rollBack(to: snapshot.id).safety)
        #expect(try lab.image() == before)
        try await lab.rollBack(to: safety)
        #expect(try lab.scratch.read("home/tree/.vt-rollback-notes/deep/mine") == Array("2".utf8))
    }
}

extension OmittedFile {
    fileprivate init(named name: String, _ reason: Reason) {
        self.init()
        path = ByteString(name)
        self.reason = reason
    }
}
