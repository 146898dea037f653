import Core
import Glibc

/// Looks up programs as exec does.
package enum ProgramPath {
    /// Returns the path of the program with this name in the directories of PATH; nil if there is no such executable.
    package static func find(_ name: String, in environment: Environment) -> String? {
        directories(in: environment).map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// Replaces this process with a program; returns the reason if that fails.
    package static func execute(_ path: String, _ words: [ByteString]) -> VTError {
        unsafe withCStrings(words) { words in _ = unsafe execv(path, words) }
        return .system(errno, "cannot run '\(path)'")
    }

    /// The directories of PATH.
    package static func directories(in environment: Environment) -> [String] {
        (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    }
}
