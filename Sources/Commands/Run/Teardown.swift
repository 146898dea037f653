import Core
import Synchronization

/// The steps to perform after a command has ended, whether or not it succeeded.
final class Teardown: Sendable {
    typealias Step = @Sendable () async throws(VTError) -> Void

    private let steps = Mutex<[Step]>([])

    func add(_ step: @escaping Step) {
        steps.withLock { $0.append(step) }
    }

    /// Performs all steps in the order in which they were added, and returns the first failure.
    func perform() async -> VTError? {
        var failure: VTError?
        while let step = steps.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            do throws(VTError) {
                try await step()
            } catch {
                failure = failure ?? error
            }
        }
        return failure
    }
}
