import Core
import Foundation
import Runtime
import TestSupport
import Testing

struct NewFileTests {
    private let scratch: ScratchDirectory
    private var path: String { scratch.path("file") }

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func contents() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path("")).sorted()
    }

    private func failure(_ body: () throws -> Void) throws -> VTError.Code {
        try #require(throws: VTError.self, performing: body).code
    }

    @Test func `a file appears only when complete, and is accessible only to its owner`() async throws {
        let file = try NewFile(path, replacing: false, isGrowing: false)
        try await file.write(Array("text".utf8))
        #expect(!FileManager.default.fileExists(atPath: path))
        try await file.finish()
        #expect(try contents() == "text")
        #expect(try names() == ["file"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a growing file exists from the start`() async throws {
        let file = try NewFile(path, replacing: false, isGrowing: true)
        #expect(try contents() == "")
        try await file.write(Array("text".utf8))
        await file.discard()
        #expect(try contents() == "text")
    }

    @Test func `discarding a file leaves no new file, and an existing file unchanged`() async throws {
        try scratch.write("old", to: "file")
        let file = try NewFile(path, replacing: true, isGrowing: false)
        try await file.write(Array("text".utf8))
        await file.discard()
        #expect(try contents() == "old")
        #expect(try names() == ["file"])
        let new = try NewFile(scratch.path("other"), replacing: false, isGrowing: true)
        await new.discard()
        #expect(try names() == ["file"])
    }

    @Test func `a growing file replaces an existing one when its first bytes are written`() async throws {
        try scratch.write("old", to: "file")
        let given = try NewFile(path, replacing: true, isGrowing: true)
        await given.discard()
        #expect(try contents() == "old")
        #expect(try names() == ["file"])
        let written = try NewFile(path, replacing: true, isGrowing: true)
        #expect(try contents() == "old")
        try await written.write(Array("text".utf8))
        #expect(try names() == ["file"])
        await written.discard()
        #expect(try contents() == "text")
    }

    @Test(arguments: [true, false])
    func `replaces a file only if requested`(_ isGrowing: Bool) async throws {
        try scratch.write("old", to: "file")
        #expect(try failure { _ = try NewFile(path, replacing: false, isGrowing: isGrowing) } == .exists)
        let file = try NewFile(path, replacing: true, isGrowing: isGrowing)
        try await file.write(Array("text".utf8))
        try await file.finish()
        #expect(try contents() == "text")
        #expect(try names() == ["file"])
    }

    @Test func `an empty file counts as missing`() async throws {
        try scratch.write("", to: "file")
        let file = try NewFile(path, replacing: false, isGrowing: false)
        try await file.write(Array("text".utf8))
        try await file.finish()
        #expect(try contents() == "text")
    }

    @Test func `does not replace a file created by another process in the meantime`() async throws {
        let file = try NewFile(path, replacing: false, isGrowing: false)
        try scratch.write("theirs", to: "file")
        let error = await #expect(throws: VTError.self) { try await file.finish() }
        #expect(error?.code == .exists)
        #expect(try contents() == "theirs")
        #expect(try names() == ["file"])
    }

    @Test(arguments: [true, false])
    func `does not replace anything but a regular file`(_ isReplaced: Bool) throws {
        try scratch.write("old", to: "target")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: scratch.path("target"))
        #expect(try failure { _ = try NewFile(path, replacing: isReplaced, isGrowing: true) } == .cannotCreate)
        for other in [scratch.path(""), "/dev/null", "\(scratch.path("none"))/x"] {
            #expect(try failure { _ = try NewFile(other, replacing: isReplaced, isGrowing: false) } == .cannotCreate)
        }
        #expect(try String(contentsOfFile: scratch.path("target"), encoding: .utf8) == "old")
    }
}
