import Core
import Runtime
import Services

/// Reports that a resource has changed.
final class ResourceChanges: OutputReceiver {
    private let address: String
    private let report: @Sendable (String) async throws(VTError) -> Void
    private let hasChanged = Monitor(false)

    init(_ address: String, _ report: @escaping @Sendable (String) async throws(VTError) -> Void) {
        self.address = address
        self.report = report
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        hasChanged.update { $0 = true }
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        hasChanged.update { $0 = true }
    }

    /// Reports changes, at most one per interval.
    func send(every interval: Duration, on clock: any Clock<Duration>) async throws(VTError) {
        while true {
            try await hasChanged.wait { state in
                defer { state = false }
                return state ? () : nil
            }
            try await report(address)
            try await clock.pause(for: interval)
        }
    }
}
