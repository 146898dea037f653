import Core
import Foundation
import System
import TestSupport
import Testing

@Suite struct FileContentsTests {
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `a missing file is nil, and a directory is an error`() throws {
        #expect(try FileContents.read(scratch.path("none")) == nil)
        let failure = #expect(throws: VTError.self) { try FileContents.read(scratch.path) }
        #expect(failure?.code == .io)
    }

    @Test func `a replaced file is accessible only to its owner`() throws {
        let path = try scratch.write("old", to: "file", mode: 0o644)
        try FileContents.replace(path, with: Array("new".utf8))
        #expect(try scratch.read("file") == Array("new".utf8))
        #expect(try mode(path) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["file"])
    }

    @Test func `replaces a temporary file left by a killed writer`() throws {
        try scratch.write("torn", to: "file.new")
        try FileContents.replace(scratch.path("file"), with: [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["file"])
    }

    @Test(arguments: ["present", "absent"])
    func `keeps a symbolic link and replaces its target`(target: String) throws {
        try scratch.write("old", to: "sub/present")
        let link = scratch.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "sub/\(target)")
        try FileContents.replace(link, with: Array("new".utf8))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "sub/\(target)")
        #expect(try scratch.read("sub/\(target)") == Array("new".utf8))
    }

    @Test func `a loop of symbolic links is an error`() throws {
        try FileManager.default.createSymbolicLink(atPath: scratch.path("a"), withDestinationPath: "b")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("b"), withDestinationPath: "a")
        let failure = #expect(throws: VTError.self) { try FileContents.replace(scratch.path("a"), with: []) }
        #expect(failure?.code == .io)
    }

    @Test func `reports a missing parent directory`() throws {
        let failure = #expect(throws: VTError.self) { try FileContents.replace(scratch.path("no/file"), with: []) }
        #expect(failure?.code == .notFound)
    }

    @Test func `creates directories that are accessible only to their owner`() throws {
        try FileContents.makeDirectory(scratch.path("a/b/c"))
        try FileContents.makeDirectory(scratch.path("a/b/c"))
        #expect(try mode(scratch.path("a")) == 0o700)
        #expect(try mode(scratch.path("a/b/c")) == 0o700)
    }

    @Test func `reports a directory that cannot be created`() throws {
        try scratch.write("", to: "file")
        for path in ["/proc/none/at/all", scratch.path("file/below")] {
            let failure = #expect(throws: VTError.self) { try FileContents.makeDirectory(path) }
            #expect(failure?.code == .cannotCreate)
        }
    }

    @Test func `reports a held lock as busy, but not a released one`() throws {
        let lock = FileLock(at: scratch.path("lock"), timeout: .milliseconds(20))
        let failure = #expect(throws: VTError.self) {
            try lock.hold { () throws(VTError) in try lock.hold { 1 } }
        }
        #expect(failure?.code == .busy)
        #expect(try lock.hold { 2 } == 2)
    }
}
