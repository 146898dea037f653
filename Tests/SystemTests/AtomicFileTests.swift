import Core
import Foundation
import System
import TestSupport
import Testing

struct AtomicFileTests {
    private static func names(_ scratch: ScratchDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
    }

    /// The umask of this process, which umask(2) can return only by changing it.
    private static func mask() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Umask:") })
        return try #require(Int(line.split(separator: "\t").last ?? "", radix: 8))
    }

    private static func make(_ path: String, _ text: String, replaces: Bool = false) throws(VTError) {
        let file = try AtomicFile(at: path, replaces: replaces)
        try file.write(Array(text.utf8))
        try file.commit()
    }

    @Test func `a file appears under its name once it is complete`() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path("file")
        let file = try AtomicFile(at: path, replaces: false)
        try file.write([0x61])
        #expect(try Self.names(scratch).isEmpty)
        try file.write([0x62])
        try file.commit()
        #expect(try scratch.read("file") == [0x61, 0x62])
        #expect(try Self.names(scratch) == ["file"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o666 & ~(try Self.mask()))
    }

    @Test func `a discarded file leaves nothing on disk`() throws {
        let scratch = try ScratchDirectory()
        do {
            let file = try AtomicFile(at: scratch.path("file"), replaces: true)
            try file.write([0x61])
        }
        #expect(try Self.names(scratch).isEmpty)
    }

    @Test func `does not replace an existing file unless requested`() throws {
        let scratch = try ScratchDirectory()
        let path = try scratch.write("old", to: "file")
        let error = #expect(throws: VTError.self) { try Self.make(path, "new") }
        #expect(error?.code == .exists)
        #expect(try scratch.read("file") == Array("old".utf8))
        try Self.make(path, "new", replaces: true)
        #expect(try scratch.read("file") == Array("new".utf8))
        #expect(try Self.names(scratch) == ["file"])
    }

    @Test func `does not replace a file created in the meantime`() throws {
        let scratch = try ScratchDirectory()
        let file = try AtomicFile(at: scratch.path("file"), replaces: false)
        _ = try scratch.write("other", to: "file")
        var code: VTError.Code?
        do throws(VTError) { try file.commit() } catch { code = error.code }
        #expect(code == .exists)
        #expect(try scratch.read("file") == Array("other".utf8))
    }

    @Test func `a symbolic link is neither followed nor replaced`() throws {
        let scratch = try ScratchDirectory()
        _ = try scratch.write("target", to: "target")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: "target")
        for replaces in [false, true] {
            let error = #expect(throws: VTError.self) { try Self.make(scratch.path("link"), "new", replaces: replaces) }
            #expect(error?.code == .cannotCreate)
        }
        #expect(try scratch.read("target") == Array("target".utf8))
    }

    @Test func `an empty file counts as missing`() throws {
        let scratch = try ScratchDirectory()
        try Self.make(try scratch.write("", to: "file"), "new")
        #expect(try scratch.read("file") == Array("new".utf8))
    }

    @Test func `never replaces anything but a regular file`() throws {
        let scratch = try ScratchDirectory()
        for path in ["/dev/null", scratch.path] {
            let error = #expect(throws: VTError.self) { try Self.make(path, "new", replaces: true) }
            #expect(error?.code == .cannotCreate)
        }
        let missing = #expect(throws: VTError.self) { try Self.make(scratch.path("none/a"), "new") }
        #expect(missing?.code == .cannotCreate)
    }
}
