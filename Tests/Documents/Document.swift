import Foundation
import TestSupport
import Testing

/// Pages whose commands are run in order, on the same machine.
struct Document: Sendable, CustomTestStringConvertible {
    let paths: [String]
    /// The script in the directory Support that makes what the commands need.
    let fixture: String

    var testDescription: String { paths.joined(separator: ", ") }

    /// The README, the guide, and each of docs/*.md.
    static let all: [Document] =
        [Document(paths: ["README.md"], fixture: "project.sh"), Document(paths: guide, fixture: "project.sh")]
        + names.map { Document(paths: ["docs/\($0)"], fixture: "examples.sh") }

    private static let guide: [String] = [
        "servers", "commands", "sessions", "screens", "recordings", "lists", "browser", "agents",
    ].map { "docs/guide/\($0).md" }

    /// The files in docs; if they cannot be listed, a test of `ReadmeTests` fails.
    private static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: "\(TestTree.root)/docs")
        return (files ?? []).filter { $0.hasSuffix(".md") }.sorted()
    }()

    /// The commands to run, in order.
    func commands() throws -> [DocumentCommand] {
        try blocks().flatMap(DocumentCommand.all).filter { !$0.callsMake }
    }

    /// The calls of `make`, which are not run.
    func makeLines() throws -> [String] {
        try blocks().flatMap(DocumentCommand.all).filter(\.callsMake).map(\.text)
    }

    /// The calls of vt in blocks that are not run, without their redirections.
    func configurationLines() throws -> [String] {
        let call = try Regex(#"\bvt [a-z][^"\]>]*"#)
        let configurations = try blocks().filter { !$0.language.isEmpty && DocumentCommand.all(in: $0).isEmpty }
        return configurations.flatMap(\.lines).flatMap { line in line.matches(of: call).map { String(line[$0.range]) } }
    }

    private func blocks() throws -> [DocumentBlock] {
        try paths.flatMap { path in
            DocumentBlock.all(in: try String(contentsOfFile: "\(TestTree.root)/\(path)", encoding: .utf8))
        }
    }
}
