import Core
import Foundation
import SessionHost
import TestSupport
import Testing

/// When a session's record is written to disk.
struct DurableRecordTests {
    /// A system crash ends the session in any case, so only its record could be lost, and only if it was written a
    /// moment before.
    @Test func `the record of a session reaches the disk soon after create, which does not wait for it`() async throws {
        let lab = try HolderLab()
        let trace = lab.scratch.path("trace")
        let calls = "trace=fsync,fdatasync,?rename,?renameat,?renameat2,sendto"
        let options = ["-f", "-y", "-qq", "-e", calls, "-o", trace]
        let vt = try ProgramCall(
            "/usr/bin/strace",
            options + [TestTree.vt, "sessions", "create", "x", "--", "cat"],
            environment: ["VT_HOME": lab.scratch.path, "HOME": "/nonexistent", "PATH": "/usr/bin:/bin"]
        ).start()
        var lines: [String] = []
        let isWritten = await eventually {
            lines = ((try? String(contentsOfFile: trace, encoding: .utf8)) ?? "").split(separator: "\n").map(
                String.init
            )
            return lines.count { $0.contains("sync(") } == 2
        }
        #expect(isWritten)
        let record = try #require(try lab.host.sessions(SilentDiagnostics()).first)
        let (file, directory) = (lab.files(record).record, lab.files(record).directory)
        // The reply to the creator contains the record.
        let told = try #require(lines.firstIndex { $0.contains("sendto(0<") })
        let replaced = try #require(lines.lastIndex { $0.contains("rename") && $0.contains("\"\(file)\"") })
        let synchronized = try #require(lines.firstIndex { $0.contains("sync(") && $0.contains("<\(file)>") })
        let named = try #require(lines.firstIndex { $0.contains("sync(") && $0.contains("<\(directory)>") })
        #expect(replaced < told)
        #expect(told < synchronized)
        #expect(synchronized < named)
        vt.kill()
    }
}
