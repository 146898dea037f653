import CLinux
import Glibc

/// The resource limits of a process (getrlimit(2)).
struct ProcessLimits: Equatable {
    /// The soft and the hard limit of each resource, in the order of the numbers of the resources; empty if unknown.
    let values: [UInt64]

    private static let valueCount = 2 * clinux_limit_count

    static let unknown = Self(values: [])

    /// Reads the limits of a process.
    static func limits(of process: pid_t) -> Self {
        var values = [UInt64](repeating: 0, count: valueCount)
        return unsafe clinux_read_limits(process, &values) == 0 ? Self(values: values) : .unknown
    }

    /// Sets the limits of a process, if they are known; those that only the superuser may raise are left.
    func set(for process: pid_t) {
        guard values.count == Self.valueCount else { return }
        unsafe clinux_set_limits(process, values)
    }
}
