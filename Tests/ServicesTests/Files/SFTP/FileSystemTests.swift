import Core
import CoreTestSupport
import Glibc
import TestSupport
import Testing

@testable import Services

/// What every file system does, on this machine and through a real SFTP server.
@Suite struct FileSystemTests {
    enum Kind: CaseIterable {
        case local
        case remote
        case sessions

        func with(_ body: (any FileSystem, ByteString) async throws -> Void) async throws {
            let scratch = try ScratchDirectory()
            switch self {
            case .local: try await body(LocalFileSystem(), ByteString(scratch.path))
            case .remote:
                try await SFTPServer.withFiles { try await body($0, ByteString(scratch.path)) }
            case .sessions:
                try await SFTPServer.withSessions { try await body($0, ByteString(scratch.path)) }
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `a created file has the bytes, the mode and the times that it was given`(_ kind: Kind) async throws {
        try await kind.with { files, directory in
            let path = directory.appending(ByteString([0x61, 0x0a, 0xff]))
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let file = try await files.create(path, mode: 0o600)
            try await file.write(Array(bytes[50_000...]), at: 50_000)
            try await file.write(Array(bytes[..<50_000]), at: 0)
            let times = FileTimes(accessed: 1_000_000_000, modified: 1_234_567_890)
            try await file.close(after: FileAttributeChanges(mode: 0o640, times: times))
            var attributes = try #require(try await files.attributes(of: path, followsLinks: false))
            #expect((attributes.version != nil) == (kind == .local))
            attributes.version = nil
            let owner = FileOwner(userID: geteuid(), groupID: getegid())
            #expect(
                attributes
                    == FileAttributes(kind: .file, sizeBytes: 100_000, mode: 0o640, times: times, owner: owner)
            )
            let reader = try await files.open(path)
            #expect(try await reader.read(at: 0, limit: 100_000) == bytes)
            #expect(try await reader.read(at: 100_000, limit: 10).isEmpty)
            try await reader.close(after: FileAttributeChanges())
        }
    }

    @Test(arguments: Kind.allCases)
    func `creating a file never replaces an existing one`(_ kind: Kind) async throws {
        try await kind.with { files, directory in
            let path = directory.appending("a")
            try await files.create(path, mode: 0o600).close(after: FileAttributeChanges())
            let error = try await failure { _ = try await files.create(path, mode: 0o600) }
            #expect([.cannotCreate, .exists].contains(error.code))
        }
    }

    @Test(arguments: Kind.allCases)
    func `a renamed file replaces an existing one`(_ kind: Kind) async throws {
        try await kind.with { files, directory in
            for (name, bytes) in [("old", [1]), ("new", [2, 2])] as [(ByteString, [UInt8])] {
                let file = try await files.create(directory.appending(name), mode: 0o600)
                try await file.write(bytes, at: 0)
                try await file.close(after: FileAttributeChanges())
            }
            try await files.rename(directory.appending("new"), to: directory.appending("old"))
            let attributes = try await files.attributes(of: directory.appending("old"), followsLinks: true)
            #expect(attributes?.sizeBytes == 2)
            #expect(try await files.attributes(of: directory.appending("new"), followsLinks: true) == nil)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a directory lists files, directories and links by their own attributes`(_ kind: Kind) async throws {
        try await kind.with { files, directory in
            try await files.makeDirectory(directory.appending("d"), mode: 0o755)
            try await files.makeLink(directory.appending("l"), to: "d")
            for number in 0..<300 {
                let path = directory.appending(ByteString("f\(number)"))
                try await files.create(path, mode: 0o600).close(after: FileAttributeChanges())
            }
            let reader = try await files.list(directory)
            var kinds: [ByteString: FileAttributes.Kind] = [:]
            while let entries = try await reader.next() {
                for entry in entries { kinds[entry.name] = entry.attributes.kind }
            }
            await reader.close()
            #expect(kinds.count == 302)
            #expect(kinds["d"] == .directory)
            #expect(kinds["l"] == .link)
            #expect(kinds["f7"] == .file)
            #expect(try await files.linkTarget(of: directory.appending("l")) == "d")
        }
    }

    @Test(arguments: Kind.allCases)
    func `a missing file is reported as such`(_ kind: Kind) async throws {
        try await kind.with { files, directory in
            let path = directory.appending("none")
            #expect(try await files.attributes(of: path, followsLinks: true) == nil)
            #expect(try await failure { _ = try await files.open(path) }.code == .notFound)
            #expect(try await failure { _ = try await files.list(path) }.code == .notFound)
            try await files.remove(path)
        }
    }

    @Test(arguments: Kind.allCases)
    func `the attributes of a file can be changed by its path`(_ kind: Kind) async throws {
        try await kind.with { files, directory in
            try await files.makeDirectory(directory.appending("d"), mode: 0o700)
            let times = FileTimes(accessed: 5, modified: 6)
            try await files.change(directory.appending("d"), to: FileAttributeChanges(mode: 0o750, times: times))
            let attributes = try await files.attributes(of: directory.appending("d"), followsLinks: false)
            #expect(attributes?.mode == 0o750)
            #expect(attributes?.times == times)
        }
    }
}
