import Core
import System
import TestSupport
import Testing

/// `StoredBytes` of files.
struct StoredBytesTests {
    private let scratch: ScratchDirectory
    private let bytes: StoredBytes

    init() throws {
        scratch = try ScratchDirectory()
        bytes = try StoredBytes(of: try OpenFile(opening: try scratch.write("0123456789", to: "file"), 0))
    }

    @Test func `a part of a file`() throws {
        #expect(try bytes.count == 10 && bytes[3..<5].read() == Array("34".utf8))
    }

    @Test func `a file that becomes longer has the same bytes`() throws {
        try scratch.write("0123456789ab", to: "file")
        #expect(try bytes.read() == Array("0123456789".utf8))
    }

    @Test func `a file that becomes shorter cannot be read`() throws {
        try scratch.write("012345678", to: "file")
        let error = #expect(throws: VTError.self) { try bytes.read() }
        #expect(error?.code == .io && error?.message.hasSuffix("became shorter while it was read") == true)
    }
}
