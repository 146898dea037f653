import Core
import CoreTestSupport
import Foundation
import Glibc
@testable import Services
import System
import TestSupport
import Testing

struct IndexFileTests {
    /// An index that git has written, and the tree.
    private struct Lab {
        let lab: TreeLab
        var path: String { "\(lab.tree)/.git/index" }

        init(_ names: [String]) async throws {
            lab = try await TreeLab()
            for name in names { try lab.write(name, to: name) }
            try await lab.git("add", "-A")
            try setTime(time(nil) + 60)
        }

        /// Sets the time at which the index was written.
        func setTime(_ seconds: time_t) throws {
            let time = timeval(tv_sec: seconds, tv_usec: 0)
            #expect(utimes(path, [time, time]) == 0)
        }

        func current(_ index: IndexFile) throws -> [String] {
            try index.indices.filter { entry in
                let status = try RawFile.status(lab.path(index.path(entry)))
                return status.map { index.isCurrent(entry, $0) } ?? false
            }.map { index.path($0).repairedText }
        }
    }

    private static let names = [
        "a", "a-b", "a.d/b", "a.d/c/d", "\(String(repeating: "long", count: 50))/x", "é\n\t", "z",
    ]

    @Test func `the files are those that git lists`() async throws {
        let lab = try await Lab(Self.names)
        let index = try #require(try IndexFile(at: lab.path))
        let paths = index.indices.map(index.path)
        let all = Self.names + [".gitattributes", ".gitignore"]
        #expect(paths == all.map { ByteString($0) }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) })
        for path in paths { #expect(index.contains(path)) }
        for path in ["", "a.d", "a.d/", "a.d/b/", "b", "zz"] { #expect(!index.contains(ByteString(path))) }
        #expect(try lab.current(index) == paths.map(\.repairedText))
    }

    @Test func `files that do not exist, or have other attributes, are not current`() async throws {
        let lab = try await Lab(["content", "mode", "removed", "same", "time", "type"])
        let index = try #require(try IndexFile(at: lab.path))
        try lab.lab.write("CONTENT", to: "content")
        #expect(chmod("\(lab.lab.tree)/mode", 0o755) == 0)
        #expect(unlink("\(lab.lab.tree)/removed") == 0)
        let old = timeval(tv_sec: 1, tv_usec: 0)
        #expect(utimes("\(lab.lab.tree)/time", [old, old]) == 0)
        #expect(unlink("\(lab.lab.tree)/type") == 0 && symlink("type", "\(lab.lab.tree)/type") == 0)
        #expect(try lab.current(index).filter { !$0.hasPrefix(".") } == ["same"])
    }

    @Test func `a file that may have changed after git read it is not current`() async throws {
        let lab = try await Lab(["a"])
        try lab.setTime(1)
        #expect(try lab.current(#require(try IndexFile(at: lab.path))) == [])
    }

    @Test func `a file that does not exist is an empty index`() async throws {
        let lab = try await TreeLab(isRepository: false)
        #expect(try IndexFile(at: "\(lab.tree)/index")?.indices.isEmpty == true)
    }

    @Test func `the files of a directory that does not exist do not exist`() async throws {
        let lab = try await Lab(["d/a"])
        let index = try #require(try IndexFile(at: lab.path))
        let entry = try #require(index.entry(of: "d/a"))
        try FileManager.default.removeItem(atPath: "\(lab.lab.tree)/d")
        try FileManager.default.createSymbolicLink(atPath: "\(lab.lab.tree)/link", withDestinationPath: lab.lab.tree)
        let root = try #require(try TreeDirectory(root: lab.lab.tree))
        for directory in ["d", "link"] {
            var found: [Bool] = []
            try index.examine(entry..<entry + 1, in: try root.directory(ByteString(directory)), nameStart: 2) {
                _,
                status in
                found.append(status != nil)
            }
            #expect(found == [false])
        }
    }

    @Test func `a damaged index is recognized`() async throws {
        let lab = try await Lab(Self.names)
        let bytes = try #require(try FileContents.read(lab.path))
        let file = lab.lab.scratch.path("damaged")
        for count in 0..<bytes.count / 2 {
            try lab.lab.scratch.write(Array(bytes[..<count]), to: "damaged")
            #expect(try IndexFile(at: file).map(\.indices) == nil)
        }
        // Other bytes are either refused, or lead to other files.
        for position in bytes.indices {
            var changed = bytes
            changed[position] = ~changed[position]
            try lab.lab.scratch.write(changed, to: "damaged")
            if let index = try IndexFile(at: file) { _ = try lab.current(index) }
        }
    }
}
