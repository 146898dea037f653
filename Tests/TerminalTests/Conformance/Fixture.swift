import Foundation
import TestSupport
import Testing

/// A fixture of these tests, or of another project.
///
/// `VT_CONFORMANCE` names a folder with fixtures of other projects, in the same formats as the fixtures of this
/// project.
struct Fixture: CustomTestStringConvertible, Sendable {
    let folder: String
    let name: String
    let isOwn: Bool

    var testDescription: String { name }

    private static let own = "\(TestTree.root)/Tests/TerminalTests/Fixtures"
    private static let others = ProcessInfo.processInfo.environment["VT_CONFORMANCE"]

    /// All fixtures in a folder of these tests and, if available, in one of other projects.
    static func all(own folder: String, others otherFolder: String) -> [Fixture] {
        var found = names(in: "\(own)/\(folder)").map { Fixture(folder: "\(own)/\(folder)", name: $0, isOwn: true) }
        if let others {
            let path = "\(others)/\(otherFolder)"
            found += names(in: path).map { Fixture(folder: path, name: $0, isOwn: false) }
        }
        return found
    }

    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// The files in a fixture that is a folder.
    var files: [String] { Self.names(in: "\(folder)/\(name)") }

    /// The contents of the file whose path is the fixture's path followed by `suffix`: `.in`, or `/1.json` in a folder.
    func bytes(_ suffix: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)\(suffix)")))
    }

    func named(_ other: String) -> Fixture {
        Fixture(folder: folder, name: other, isOwn: isOwn)
    }
}
