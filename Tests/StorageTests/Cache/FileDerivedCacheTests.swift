import Core
import Foundation
import Storage
import TestSupport
import Testing

struct FileDerivedCacheTests {
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
    }

    private var directory: String { scratch.path("cache/keyframes") }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `returns stored data, which only its owner can access`() throws {
        let cache = FileDerivedCache(directory: directory)
        #expect(cache.contents("a") == nil)
        try cache.keep([1, 2], as: "a")
        try cache.keep([3], as: "a")
        #expect(cache.contents("a") == [3])
        #expect(try mode(directory) == 0o700)
        #expect(try mode("\(directory)/a") == 0o600)
    }

    @Test func `evicts the least recently used file`() throws {
        let cache = FileDerivedCache(directory: directory, limitFiles: 3)
        for (age, name) in ["a", "b", "c"].enumerated() {
            try cache.keep([1], as: name)
            let date = Date(timeIntervalSince1970: 1_000_000 + Double(age))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(directory)/\(name)")
        }
        #expect(cache.contents("a") == [1])
        try cache.keep([2], as: "d")
        #expect(["a", "b", "c", "d"].map { cache.contents($0) != nil } == [true, false, true, true])
    }

    @Test func `reports a directory that cannot be created`() throws {
        let file = try scratch.write([], to: "file")
        #expect {
            try FileDerivedCache(directory: "\(file)/x").keep([1], as: "a")
        } throws: { ($0 as? VTError)?.code == .cannotCreate }
    }
}
