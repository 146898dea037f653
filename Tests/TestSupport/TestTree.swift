import Foundation

/// Paths in the source tree under test.
package enum TestTree {
    /// The directory of Package.swift.
    package static let root: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url.path
    }()

    /// The `vt` under test: the one specified by `VT_BINARY`, or the one that was built with these tests.
    package static let vt = ProcessInfo.processInfo.environment["VT_BINARY"] ?? builtVt

    /// The `vt` that was built with these tests, which has fault points and uses shared libraries.
    package static let builtVt: String = {
        let testBundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return testBundle.deletingLastPathComponent().appendingPathComponent("vt").path
    }()

    /// Whether this `vt` is a static executable, as release builds are.
    package static var vtIsStatic: Bool {
        get async throws { try await !ProgramCall("readelf", ["-lW", vt]).run().text.contains("INTERP") }
    }

    /// The Python of the venv created by `make test`, with asyncssh and paramiko.
    package static let python = "\(root)/.build-venv/bin/python3"

    package static func support(_ name: String) -> String {
        "\(root)/Tests/TestSupport/Support/\(name)"
    }
}
