import Core
import CoreTestSupport
import Foundation
import Services
import TestSupport
import Testing

struct AutomaticSnapshotTests {
    private func take(_ lab: TreeLab, before turn: UInt64, keeping kept: Int = 10) async throws {
        try await lab.service.createAutomatically(before: turn, keeping: kept, for: lab.origin)
    }

    @Test func `an unchanged tree adds no snapshot, and the newest are kept with the first`() async throws {
        let lab = try await TreeLab()
        try lab.write("0", to: "a")
        try await take(lab, before: 1)
        try await take(lab, before: 2)
        #expect(try lab.service.snapshots(for: lab.origin).map(\.turns) == [[1, 2]])
        for turn in 3...7 {
            try lab.write("\(turn)", to: "a")
            try await take(lab, before: UInt64(turn), keeping: 3)
        }
        let snapshots = try lab.service.snapshots(for: lab.origin)
        #expect(snapshots.map(\.turns) == [[1, 2], [5], [6], [7]])
        #expect(snapshots.map(\.kind) == [.base, .automatic, .automatic, .automatic])
    }

    @Test func `a change of permissions or of empty directories is a change`() async throws {
        let lab = try await TreeLab()
        try lab.write("0", to: "a")
        try await take(lab, before: 1)
        try lab.write("0", to: "a", mode: 0o600)
        try await take(lab, before: 2)
        try FileManager.default.createDirectory(atPath: "\(lab.tree)/empty", withIntermediateDirectories: false)
        try await take(lab, before: 3)
        #expect(try lab.service.snapshots(for: lab.origin).map(\.turns) == [[1], [2], [3]])
    }

    @Test func `files that are too large are left out`() async throws {
        let lab = try await TreeLab()
        let file = FileManager.default.createFile(atPath: "\(lab.tree)/large", contents: nil)
        #expect(file && truncate("\(lab.tree)/large", (100 << 20) + 1) == 0)
        try await take(lab, before: 1)
        let snapshot = try #require(try lab.service.snapshots(for: lab.origin).first)
        #expect(snapshot.omitted.map(\.reason) == [.tooLarge])
    }

    @Test func `a turn's changes are those between the snapshots before it and the next one`() async throws {
        let lab = try await TreeLab()
        try lab.write("one\n", to: "a")
        try await take(lab, before: 1)
        try lab.write("two\n", to: "a")
        try lab.write("b\n", to: "b")
        try await take(lab, before: 2)
        try await take(lab, before: 3)
        try lab.write("three\n", to: "a", mode: 0o755)
        func names(_ turn: Int64) async throws -> String {
            var request = DiffRequest()
            (request.turn, request.format) = (turn, .nameStatus)
            let sink = MemorySink()
            _ = try await lab.service.diff(request, for: lab.origin, turn: 3, to: sink)
            return String(decoding: sink.bytes, as: UTF8.self)
        }
        #expect(try await names(1) == "M\ta\nA\tb\n")
        #expect(try await names(2) == "")
        #expect(try await names(-1) == "M\ta\n")
        #expect(try await failure { _ = try await names(4) }.code == .notFound)
        #expect(try await lab.diff { $0.format = .nameStatus } == "M\ta\nA\tb\n")
    }
}
