import Core
import Foundation
import TestSupport
import Testing

@testable import Services

/// Files that are read and written through several sessions of a real SFTP server.
@Suite struct StripedFileTests {
    private static let chunks = (0..<20).map { number in
        (offset: UInt64(number * 100_000), bytes: [UInt8](repeating: UInt8(number + 1), count: 100_000))
    }

    /// Writes all chunks at the same time.
    private func write(_ file: any RandomAccessFile) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for chunk in Self.chunks { group.addTask { try await file.write(chunk.bytes, at: chunk.offset) } }
            try await group.waitForAll()
        }
    }

    /// Checks the contents of a file, and in how many sessions it is open.
    private func check(_ path: String, sessions: Int) {
        #expect(FileManager.default.contents(atPath: path).map(Array.init) == Self.chunks.flatMap(\.bytes))
        let manager = FileManager.default
        let processes = (try? manager.contentsOfDirectory(atPath: "/proc"))?.filter { UInt($0) != nil } ?? []
        let descriptors = processes.flatMap { process in
            ((try? manager.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []).map {
                "/proc/\(process)/fd/\($0)"
            }
        }
        let count = descriptors.count { (try? manager.destinationOfSymbolicLink(atPath: $0)) == path }
        #expect(count == sessions)
    }

    @Test(.asRoot, arguments: [(UInt64(1_000_000), 1), (UInt64(100_000_000), 3)])
    func `a large file is written through all sessions, and keeps its permissions`(
        expectedBytes: UInt64,
        sessions: Int
    ) async throws {
        let scratch = try ScratchDirectory()
        try await SFTPServer.withSessions { files in
            let path = ByteString(scratch.path("a"))
            let file = try await files.create(path, mode: 0o600)
            await file.prepare(forBytes: expectedBytes)
            try await write(file)
            check(scratch.path("a"), sessions: sessions)
            try await file.close(after: FileAttributeChanges())
            #expect(try await files.attributes(of: path, followsLinks: false)?.mode == 0o600)
            check(scratch.path("a"), sessions: 0)
        }
    }

    @Test(.asRoot, arguments: [0o777, 0o1777, 0o770, 0o707])
    func `a file in a directory that others can write to is written through one session`(mode: Int) async throws {
        let scratch = try ScratchDirectory()
        try scratch.write("untouched", to: "other")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: scratch.path)
        try await SFTPServer.withSessions { files in
            let path = ByteString(scratch.path("a"))
            let file = try await files.create(path, mode: 0o644)
            try await files.rename(path, to: ByteString(scratch.path("moved")))
            try await files.makeLink(path, to: ByteString(scratch.path("other")))
            await file.prepare(forBytes: 100_000_000)
            try await write(file)
            check(scratch.path("moved"), sessions: 1)
            try await file.close(after: FileAttributeChanges())
            #expect(try String(contentsOfFile: scratch.path("other"), encoding: .utf8) == "untouched")
        }
    }

    @Test(.asRoot)
    func `a file in a directory of another user is written through one session`() async throws {
        let scratch = try ScratchDirectory()
        try #require(chown(scratch.path, 65534, 65534) == 0)
        try await SFTPServer.withSessions { files in
            let file = try await files.create(ByteString(scratch.path("a")), mode: 0o600)
            await file.prepare(forBytes: 100_000_000)
            try await write(file)
            check(scratch.path("a"), sessions: 1)
            try await file.close(after: FileAttributeChanges())
        }
    }

    @Test func `a file that has taken the place of the opened one is not read`() async throws {
        let scratch = try ScratchDirectory()
        try scratch.write("original", to: "original")
        try scratch.write("replacement", to: "replacement")
        try await SFTPServer.withSessions { files in
            let path = ByteString(scratch.path("original"))
            let file = try await files.open(path)
            try await files.rename(ByteString(scratch.path("replacement")), to: path)
            await file.prepare(forBytes: 100_000_000)
            for _ in 0..<9 { #expect(try await file.read(at: 0, limit: 100) == Array("original".utf8)) }
            try await file.close(after: FileAttributeChanges())
        }
    }
}
