import Core
import Runtime
import System
import Testing

@Suite struct CaptureTests {
    private static let sleep = SpawnPlan(arguments: ["/bin/sleep", "1000"], environment: [])

    @Test func `a canceled program is not reported as a timeout`() async throws {
        let run = Task { try await ChildProcess.capture(Self.sleep, timeout: .seconds(30), on: ContinuousClock()) }
        run.cancel()
        let error = await #expect(throws: VTError.self) { _ = try await run.value }
        #expect(error == .cancelled)
    }

    @Test func `a program need not read its input`() async throws {
        let plan = SpawnPlan(arguments: ["/bin/echo", "done"], environment: [])
        let capture = try await ChildProcess.capture(plan, input: [UInt8](repeating: 0, count: 1 << 20))
        #expect(capture.status == .exited(0) && capture.output == Array("done\n".utf8))
    }

    @Test func `a program that does not exit in time is reported as a timeout`() async throws {
        let error = await #expect(throws: VTError.self) {
            _ = try await ChildProcess.capture(Self.sleep, timeout: .milliseconds(10), on: ContinuousClock())
        }
        #expect(error?.code == .timedOut)
    }
}
