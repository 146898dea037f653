import CoreTestSupport
import Foundation
@testable import Services
import System
import TestSupport
import Testing

struct SnapshotStoreTests {
    @Test func `a collection of git that removes directories does not disturb the size`() async throws {
        let lab = try await TreeLab()
        _ = try await lab.snapshot()
        let store = try lab.service.place(ofTree: lab.tree).store
        let loop = "cd '\(store.git.directory)/objects'; while :; do mkdir zz; rmdir zz; done"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", loop]
        try process.run()
        defer { process.terminate() }
        let size = try store.sizeBytes()
        for _ in 0..<3000 { #expect(try store.sizeBytes() == size) }
    }
}
