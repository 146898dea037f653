import Core
import Testing

@Suite struct AbandonableThreadTests {
    @Test func `what the work returns or throws is passed on`() async throws {
        #expect(try await onAbandonableThread { 7 } == 7)
        await #expect(throws: VTError(.notFound, "no")) {
            try await onAbandonableThread { () throws(VTError) -> Int in throw VTError(.notFound, "no") }
        }
    }

    @Test func `work that does not end is left alone when the task is cancelled`() async throws {
        let never = Semaphore()
        defer { never.signal() }
        let task = Task {
            try await onAbandonableThread { () throws(VTError) -> Int in
                never.wait()
                return 1
            }
        }
        task.cancel()
        await #expect(throws: VTError.cancelled) { try await task.value }
    }
}
