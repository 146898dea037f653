import Core
import Glibc

/// Runs blocking work on a new thread that ends with the work.
///
/// - Throws: `system` when no thread can be created; the work is then not started.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(VTError) {
    let work = unsafe Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let result = unsafe pthread_create(&thread, nil, runThreadBody, work.toOpaque())
    guard result == 0 else {
        unsafe work.release()
        throw .system(result, "cannot start a thread", fallback: .system)
    }
    pthread_detach(thread)
}

/// Runs blocking work on a new thread and waits for it without blocking the caller's thread.
package func onOwnThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(VTError) -> Value
) async throws(VTError) -> Value {
    let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, VTError>, Never>) in
        do throws(VTError) {
            try startThread {
                continuation.resume(returning: Result { () throws(VTError) in try body() })
            }
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }
    return try result.get()
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

private func runThreadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
