import Core
import Foundation
import Storage
import TestSupport
import Testing

struct FileQueueStoreTests {
    private let scratch: ScratchDirectory
    private let store: FileQueueStore

    init() throws {
        scratch = try ScratchDirectory()
        store = FileQueueStore(directory: scratch.path("queue"))
    }

    private func entry(_ bytes: [UInt8], _ kind: QueueEntry.Kind = .input, for session: String = "s") -> QueueEntry {
        QueueEntry(bytes, kind, for: session, lifetime: .seconds(60))
    }

    @Test func `entries keep their order and any bytes`() throws {
        let entries = [entry([0, 255, 10]), entry(Array("é\n".utf8)), entry([])]
        for entry in entries { try store.add(entry) }
        #expect(try store.entries(of: "s") == entries)
        #expect(try store.entries(of: "s").map(\.bytes) == [[0, 255, 10], Array("é\n".utf8), []])
        #expect(try store.entries(of: "t").isEmpty)
    }

    @Test func `the number of entries is limited, without delivered lines`() throws {
        for _ in 0..<FileQueueStore.entryLimit { try store.add(entry([1])) }
        let error = #expect(throws: VTError.self) { try store.add(entry([2])) }
        #expect(error?.code == .busy)
        try store.add(entry([2], for: "t"))
        let first = try #require(try store.entries(of: "s").first)
        try store.finish(first.with(.delivered))
        try store.add(entry([3], .exec))
        let line = try #require(try store.entries(of: "s").last)
        try store.finish(line.with(.delivered))
        try store.add(entry([4]))
        #expect(try store.entries(of: "s").count == FileQueueStore.entryLimit + 1)
    }

    @Test func `only the last results are kept`() throws {
        for number in 0..<(FileQueueStore.resultLimit + 3) {
            let entry = entry([UInt8(number)], .exec)
            try store.add(entry)
            try store.finish(entry.with(.delivered))
        }
        let kept = try store.entries(of: "s")
        #expect(kept.count == FileQueueStore.resultLimit && kept.first?.bytes == [3])
    }

    @Test func `one process delivers a queue`() throws {
        let lock = try store.lockDelivery(of: "s")
        #expect(throws: VTError.self) { try store.lockDelivery(of: "s") }
        _ = try store.lockDelivery(of: "t")
        withExtendedLifetime(lock) {}
    }

    @Test func `a damaged queue is never overwritten`() throws {
        try store.add(entry([1]))
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path("queue")).first { $0.hasSuffix(".json") }
        )
        _ = try scratch.write("{", to: "queue/\(name)", mode: 0o600)
        #expect((#expect(throws: VTError.self) { try store.add(entry([2])) })?.code == .config)
        #expect((#expect(throws: VTError.self) { try store.entries(of: "s") })?.code == .config)
    }

    @Test func `a damaged queue does not prevent the use of the others`() throws {
        try store.add(entry([1]))
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path("queue")).first { $0.hasSuffix(".json") }
        )
        try store.add(entry([2], for: "t"))
        try scratch.write("{", to: "queue/\(name)", mode: 0o600)
        var errors: [VTError] = []
        #expect(try store.entries { errors.append($0) }.map(\.bytes) == [[2]])
        #expect(errors.map(\.code) == [.config])
    }
}
