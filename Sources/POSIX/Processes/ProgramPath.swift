import Core
import Glibc

/// Finds programs as exec does.
package enum ProgramPath {
    /// The path of the program of this name in the directories of PATH; nil where there is none to run.
    ///
    /// The corresponding C function is `access`.
    package static func find(_ name: String, in environment: Environment) -> String? {
        let directories = (environment["PATH"] ?? "").split(separator: ":")
        return directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }
}
