import CLinux
import Glibc

/// The resource limits of a process (getrlimit(2)).
package struct ProcessLimits: Equatable, Sendable {
    /// The soft and the hard limit of each resource, in the order of the numbers of the resources; empty if unknown.
    package let values: [UInt64]

    private static let valueCount = 2 * clinux_limit_count

    package static let unknown = Self(values: [])

    package init(values: [UInt64]) {
        self.values = values
    }

    /// Reads the limits of a process.
    package static func limits(of process: pid_t) -> Self {
        var values = [UInt64](repeating: 0, count: valueCount)
        return unsafe clinux_read_limits(process, &values) == 0 ? Self(values: values) : .unknown
    }

    /// Sets the limits of a process, if they are known; those that only the superuser may raise are left.
    package func set(for process: pid_t) {
        guard values.count == Self.valueCount else { return }
        unsafe clinux_set_limits(process, values)
    }
}
