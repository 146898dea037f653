import Foundation
import TestSupport
import Testing

/// Runs the commands of the README, of the guide and of docs/*.md, exactly as shown and in order, except `make` and the
/// commands in `runElsewhere`.
@Suite struct ReadmeTests {
    /// The documents with commands.
    private static let documents: [Document] = Document.all.filter { (try? $0.commands().isEmpty) != true }

    /// Commands that cannot run in a test of documents, with the tests that cover them and the reason.
    private static let runElsewhere: [String: String] = [
        "vt install web": "InstallTests; the command requires a portable binary, which a debug build is not",
        "vt install box": "InstallTests; the command requires a portable binary, which a debug build is not",
    ]

    /// The exit statuses that the documents announce for commands, by their last lines.
    private static let statuses: [String: Int32] = [
        "vt sessions exec db --repl psql 'select nope;'   # prints the error; the exit status is 1": 1,
        // That of the program, npm test.
        "vt attach mac:tests": 1,
    ]

    @Test(.asRoot, .crowded, arguments: documents)
    func `every command does what the document shows`(_ document: Document) async throws {
        let commands = try document.commands().filter { Self.runElsewhere[$0.text] == nil }
        try await DocumentRun(commands, with: document.fixture).expectSuccess(except: Self.statuses)
    }

    @Test func `most documents contain commands, and the commands with exceptions exist`() throws {
        #expect(Self.documents.count > 9)
        let commands = try Self.documents.flatMap { try $0.commands() }
        for text in Self.runElsewhere.keys { #expect(commands.contains { $0.text == text }, "\(text)") }
        for line in Self.statuses.keys { #expect(commands.contains { $0.text.hasSuffix(line) }, "\(line)") }
    }

    @Test func `every make target named in a document exists`() throws {
        let lines = try Document.all.flatMap { try $0.makeLines() }
        try #require(lines.count > 5)
        let makefile = try String(contentsOfFile: "\(TestTree.root)/Makefile", encoding: .utf8)
        for line in lines {
            let words = line.prefix { $0 != "#" }.split(separator: " ").dropFirst().filter { !$0.contains("=") }
            for target in words {
                #expect(makefile.contains("\n.PHONY: \(target)\n"), "\(line)")
            }
        }
    }
}
