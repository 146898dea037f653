import Core
import Foundation
import SessionHost
import TestSupport
import Testing

/// The durability of a session's record: it must be complete after a system crash.
struct DurableRecordTests {
    /// `create` must not report a session whose record would be empty after a crash.
    @Test func `the record of a session is on disk before create returns`() async throws {
        let lab = try HolderLab()
        let trace = lab.scratch.path("trace")
        let calls = "trace=fsync,fdatasync,?rename,?renameat,?renameat2,sendto"
        let options = ["-f", "-y", "-qq", "-e", calls, "-o", trace]
        let vt = ProgramCall(
            "/usr/bin/strace",
            options + [TestTree.vt, "sessions", "create", "x", "--", "true"],
            environment: ["VT_HOME": lab.scratch.path, "HOME": "/nonexistent", "PATH": "/usr/bin:/bin"]
        )
        let result = try await vt.run()
        #expect(result.status == .exited(0), "\(result.errorText)")
        let record = try #require(try lab.host.sessions(SilentDiagnostics()).first)
        let made = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").map(String.init)
        let file = lab.files(record).record
        let directory = lab.files(record).directory
        // The reply to the creator contains the record.
        let told = try #require(made.firstIndex { $0.contains("sendto(0<") })
        let before = made[..<told]
        let replaced = try #require(before.lastIndex { $0.contains("rename") && $0.contains("\"\(file)\"") })
        let synchronized = try #require(before.lastIndex { $0.contains("sync(") && $0.contains("<\(file)>") })
        let named = try #require(before.lastIndex { $0.contains("sync(") && $0.contains("<\(directory)>") })
        #expect(replaced < synchronized)
        #expect(synchronized < named)
        #expect(before.count { $0.contains("sync(") } == 2)
    }
}
