import Core

/// A process's position in the systemd hierarchy: the path of its control group (cgroups(7)).
struct ControlGroup: Hashable, Sendable {
    /// The units in the path, outermost first, such as `user.slice user-1000.slice session-3.scope`.
    let units: [Substring]

    /// Parses `/proc/PID/cgroup`: the line of systemd's own hierarchy if there is one, otherwise that of the unified
    /// hierarchy.
    ///
    /// Returns nil if neither line exists.
    init?(_ text: String) {
        let lines = text.split(separator: "\n")
        guard
            let line = lines.first(where: { $0.contains(":name=systemd:") })
                ?? lines.first(where: { $0.hasPrefix("0::") })
        else { return nil }
        units =
            line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).last?.split(separator: "/") ?? []
    }

    /// The process's login scope, as created by systemd-logind(8).
    var loginScope: Substring? {
        units.first { $0.hasPrefix("session-") && $0.hasSuffix(".scope") }
    }

    /// Whether the process belongs to the user's service manager.
    var isUnderUserManager: Bool {
        units.contains { $0.hasPrefix("user@") && $0.hasSuffix(".service") }
    }

    /// The service to which the process belongs, and with which it ends; nil if the process is in a scope, or directly
    /// in the user's service manager.
    var service: Substring? {
        guard let last = units.last(where: { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }) else { return nil }
        return last.hasSuffix(".service") && !last.hasPrefix("user@") ? last : nil
    }
}
