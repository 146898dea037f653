import Core
import Foundation
import SessionHost
import System
import TestSupport
import Testing

struct FaultTests {
    /// Whatever vt was doing when it crashed, the remains can be listed, read and removed, and the name can be reused.
    @Test(arguments: Fault.allCases.prefix { $0 != .requestBegun })
    func `a crash leaves nothing that prevents later commands`(_ fault: Fault) async throws {
        let lab = try HolderLab()
        let vt = lab.creation(["x", "--", "sh", "-c", "echo kept; exit 3"], fault: fault.rawValue)
        let result = try await vt.run()
        // A crash after creation leaves a session; before that, `create` reports a failure or crashes itself.
        let isMade = fault == .holdAnswered || !["create:", "hold:"].contains { fault.rawValue.hasPrefix($0) }
        #expect(isMade == (result.status == .exited(0)), "\(result.status)")
        for record in try lab.host.sessions(SilentDiagnostics()) { #expect(await lab.isReleased(record.id)) }
        let left = try lab.host.sessions(SilentDiagnostics())
        for record in left {
            #expect(!record.state.isLive)
            _ = try lab.output(of: record)
            _ = try lab.host.session(record.id.text)
            if record.state == .exited { #expect(record.exit == .exited(3)) }
            #expect(try await lab.host.remove(record.id))
        }
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
        _ = try await lab.end(of: try await lab.create("x", "true"))
    }
}
