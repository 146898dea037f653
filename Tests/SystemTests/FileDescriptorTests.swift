import Core
import Glibc
import System
import TestSupport
import Testing

@Suite struct FileDescriptorTests {
    @Test func `opening a FIFO without a writer does not block`() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path("fifo")
        try #require(mkfifo(path, 0o600) == 0)
        #expect(try FileContents.read(path) == [])
    }

    @Test func `reads data that a FIFO's writer sends later`() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path("fifo")
        try #require(mkfifo(path, 0o600) == 0)
        // Opening the FIFO for reading and writing provides a writer from the start.
        let writer = try FileDescriptor.open(path, O_RDWR)
        let reader = try FileDescriptor.openForReading(path)
        #expect(fcntl(reader.number, F_GETFL) & O_NONBLOCK == 0)
        #expect(write(writer.number, "x", 1) == 1)
        #expect(try BlockingIO.read(reader.number, limit: 16).first == UInt8(ascii: "x"))
    }
}
