import Core
import Glibc

/// Looks up programs as exec does.
package enum ProgramPath {
    /// Returns the path of the program with this name in the directories of PATH; nil if there is no such executable.
    ///
    /// The corresponding C function is `access`.
    package static func find(_ name: String, in environment: Environment) -> String? {
        let directories = (environment["PATH"] ?? "").split(separator: ":")
        return directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }
}
