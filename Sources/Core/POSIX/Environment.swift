import Glibc

/// The variables of a process, as a value that tests can make up.
package struct Environment: Sendable {
    private let lookup: @Sendable (String) -> String?

    /// What this process was started with; a value that is not UTF-8 counts as absent.
    package static let process = Environment { name in
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(validatingCString: value)
    }

    package init(_ values: [String: String]) {
        lookup = { values[$0] }
    }

    private init(lookup: @escaping @Sendable (String) -> String?) {
        self.lookup = lookup
    }

    /// The value of a variable; nil when it is absent or empty, between which no variable that vt reads makes a
    /// difference.
    package subscript(name: String) -> String? {
        guard let value = lookup(name), !value.isEmpty else { return nil }
        return value
    }
}
