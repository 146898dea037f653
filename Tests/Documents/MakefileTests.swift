import Foundation
import TestSupport
import Testing

/// What the targets do before they build.
struct MakefileTests {
    /// Runs a target on a machine without one of the packages; programs that build or install leave a file.
    private static func make(_ target: String) async throws -> (result: ProgramResult, effects: [String]) {
        let scratch = try ScratchDirectory()
        for name in ["swift", "apt-get", "sudo", "clang", "install"] {
            try scratch.write("#!/bin/sh\n>\(scratch.path(name)).called\n", to: "bin/\(name)", mode: 0o755)
        }
        let result = try await ProgramCall(
            "make",
            ["-C", TestTree.root, target, "build_packages=zlib1g-dev no-such-package"],
            environment: ["PATH": "\(scratch.path("bin")):\(ProgramCall.searchPath)"]
        ).run()
        return (result, try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter { $0 != "bin" })
    }

    @Test(arguments: ["build", "release", "install", "portable", "dist"])
    func `a target that builds names what is missing, and does nothing`(_ target: String) async throws {
        let (result, effects) = try await Self.make(target)
        #expect(result.status == .exited(2) && effects == [])
        let first = result.errorText.prefix { $0 != "\n" }
        let message = /missing packages: .*; run 'make deps' or '(sudo )?apt-get install .*'/
        #expect(first.wholeMatch(of: message) != nil, "\(first)")
        #expect(first.contains(" no-such-package") && !first.contains("zlib1g-dev"))
    }

    @Test func `make deps installs what is missing`() async throws {
        let (result, effects) = try await Self.make("deps")
        #expect(result.status == .exited(0) && !effects.isEmpty && !effects.contains("swift.called"))
    }
}
