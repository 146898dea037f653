import Foundation
import TestSupport

/// A text file that shows vt's output: lines that start with `$ ` are run, the lines after them are the expected
/// output.
///
/// The file may start with a comment. Standard output comes first, then standard error prefixed with `! `, then the
/// exit status in brackets unless it is 0. All commands of a file share one home directory. Varying text is replaced:
/// the home directory with `HOME`, the directory of vt's files with `VT_HOME`, times with `TIME`, and identifiers with
/// `ID`.
struct Transcript: Sendable, CustomStringConvertible {
    let name: String

    var description: String { name }

    private static let directory = "\(TestTree.root)/Tests/Transcripts/Recorded"

    static let all: [Transcript] = {
        // An unreadable directory is treated as empty, which a test detects.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().map(Transcript.init)
    }()

    private var url: URL {
        URL(fileURLWithPath: "\(Self.directory)/\(name)")
    }

    func recorded() throws -> String {
        try String(contentsOf: url, encoding: .utf8)
    }

    /// Runs the lines of the file and returns the resulting transcript.
    func played() async throws -> String {
        let vt = try Vt()
        var text = ""
        var hasBegun = false
        for line in try recorded().split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("$ ") else {
                if !hasBegun { text += "\(line)\n" }
                continue
            }
            hasBegun = true
            let result = try await vt.bash(String(line.dropFirst(2)))
            text += "\(line)\n" + result.text
            if !result.text.isEmpty, !result.text.hasSuffix("\n") { text += "[no newline]\n" }
            text += result.errorText.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .map { "! \($0)\n" }.joined()
            if result.status != .exited(0) { text += "[\(result.exit.map(String.init) ?? "\(result.status)")]\n" }
        }
        let times = try Regex(#"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"#)
        let identifiers = try Regex(#"\b([0-9a-f]{32}|[0-9a-f]{12})\b"#)
        return text.replacing(times, with: "TIME").replacing(identifiers, with: "ID")
            .replacingOccurrences(of: vt.home, with: "HOME").replacingOccurrences(of: vt.stateHome, with: "VT_HOME")
    }

    func record(_ text: String) throws {
        try text.write(to: url, atomically: true, encoding: .utf8)
    }
}
