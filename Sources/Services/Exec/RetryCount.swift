import Core
import Synchronization

/// Counts connection retries, and forwards all steps to another observer.
final class RetryCount: ConnectionObserver {
    private let observer: any ConnectionObserver
    private let count = Mutex(0)

    init(_ observer: any ConnectionObserver) {
        self.observer = observer
    }

    var value: Int { count.withLock { $0 } }

    func connection(_ name: String, reached step: ConnectionStep) {
        if case .retrying = step { count.withLock { $0 += 1 } }
        observer.connection(name, reached: step)
    }
}
