import Foundation
import Synchronization

/// A small static program that passes for vt when it is installed: it prints a version, and does nothing else.
package enum SmallProgram {
    /// The version it prints.
    package static let version = "1.2.3"

    /// The path of the program, which is compiled once and shared by all tests of a run.
    package static func path() async throws -> String {
        try await sharedPath.value
    }

    fileprivate static let source = """
        int puts(const char *);
        int main(void) { return puts("vt \(version)") < 0; }

        """
}

private let sharedPath = Task {
    let scratch = try ScratchDirectory()
    sharedScratch.withLock { $0 = scratch }
    // Global objects are never released, so remove the directory at exit.
    atexit { sharedScratch.withLock { $0 = nil } }
    let program = scratch.path("vt")
    // Every Swift toolchain for Linux contains clang, and its directory is on the PATH of `swift test`.
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let words = ["-s", "-static", "-x", "c", "-", "-o", program]
    try await ProgramCall("clang", words, environment: ["PATH": path]).check(input: Array(SmallProgram.source.utf8))
    return program
}

private let sharedScratch = Mutex<ScratchDirectory?>(nil)
