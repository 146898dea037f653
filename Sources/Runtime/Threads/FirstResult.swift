import Core

/// The first of several results.
package final class FirstResult<Value: Sendable>: Sendable {
    private let result = Monitor<Value?>(nil)

    package init() {}

    package var isKnown: Bool { result.withLock { $0 != nil } }

    /// Waits for the first result; if the task is canceled first, returns `cancellation`.
    package func value(orIfCanceled cancellation: Value) async -> Value {
        do throws(VTError) {
            return try await result.wait { $0 }
        } catch {
            return cancellation
        }
    }

    /// Provides a result, which is ignored if it is not the first one.
    package func provide(_ value: Value) {
        result.update { $0 = $0 ?? value }
    }
}
