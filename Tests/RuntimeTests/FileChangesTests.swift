import Core
import Foundation
import Glibc
import Runtime
import System
import TestSupport
import Testing

struct FileChangesTests {
    @Test(.timeLimit(.minutes(5))) func `reports writes, and the end when the writer closes the file`() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path("events")
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let changes = try FileChanges(of: path)
        let file = try FileDescriptor.open(path, O_WRONLY)
        #expect(BlockingIO.write(file.number, Array("a".utf8)) == 0)
        #expect(try await changes.next())
        async let second = changes.next()
        #expect(BlockingIO.write(file.number, Array("b".utf8)) == 0)
        #expect(try await second)
        close(file.release())
        // A program that another test is starting has the file open until it calls exec.
        while try await changes.next() {}
        #expect(try await !changes.next())
    }

    @Test func `waiting can be canceled`() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path("events")
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let changes = try FileChanges(of: path)
        let waiting = Task { () async -> VTError.Code? in
            do throws(VTError) {
                _ = try await changes.next()
                return nil
            } catch {
                return error.code
            }
        }
        waiting.cancel()
        #expect(await waiting.value == VTError.cancelled.code)
    }

    @Test func `a missing file cannot be watched`() {
        let error = #expect(throws: VTError.self) { try FileChanges(of: "/nowhere/events") }
        #expect(error?.code == .notFound)
    }
}
