import Foundation

/// Where the tree under test lies.
package enum TestTree {
    /// The directory of Package.swift.
    package static let root: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url.path
    }()

    /// The `vt` that was built along with these tests, or the one that `VT_BINARY` names.
    package static let vt: String = {
        if let named = ProcessInfo.processInfo.environment["VT_BINARY"] { return named }
        let testBundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return testBundle.deletingLastPathComponent().appendingPathComponent("vt").path
    }()

    /// The Python of the venv that `make test` makes; it has asyncssh and paramiko.
    package static let python = "\(root)/.build-venv/bin/python3"

    package static func support(_ name: String) -> String {
        "\(root)/Tests/TestSupport/Support/\(name)"
    }
}
