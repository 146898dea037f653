import Foundation
import TestSupport

/// A Swift file in the source tree.
struct SourceFile: Sendable {
    /// Relative to the root: `Sources/Core/Values/Endpoint.swift`.
    let path: String
    let lines: [Substring]

    /// The module of a file below `Sources`.
    var module: String {
        String(path.split(separator: "/")[1])
    }

    /// The modules that the file imports, with or without attributes and access levels.
    var imports: [String] {
        lines.compactMap { line in
            // Fast path: regular expressions are slow, and most lines are indented.
            guard let first = line.utf8.first, "@ifp".utf8.contains(first),
                let match = line.wholeMatch(of: /(?:@?\w+(?:\([^)]*\))? )*import (?:\w+ )?([A-Za-z0-9_]+).*/)
            else { return nil }
            return String(match.1)
        }
    }

    /// The lines outside comments.
    var code: [Substring] {
        lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    }

    /// All Swift files below a directory of the source tree.
    static func all(below directory: String) throws -> [SourceFile] {
        let base = "\(TestTree.root)/\(directory)"
        let names = try FileManager.default.subpathsOfDirectory(atPath: base).filter { $0.hasSuffix(".swift") }
        return try names.sorted().map { name in
            let text = try String(contentsOfFile: "\(base)/\(name)", encoding: .utf8)
            return SourceFile(
                path: "\(directory)/\(name)",
                lines: text.split(separator: "\n", omittingEmptySubsequences: false)
            )
        }
    }
}
