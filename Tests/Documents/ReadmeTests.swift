import Foundation
import TestSupport
import Testing

/// Runs the commands of the README, and those of the guide, exactly as shown and in order, except `make` and the commands
/// in `runElsewhere`.
@Suite struct ReadmeTests {
    /// The pages of the guide, in the order in which their commands are run.
    private static let guide = [
        "servers", "commands", "sessions", "screens", "recordings", "lists", "browser", "agents",
    ].map { "docs/guide/\($0).md" }

    /// Commands that cannot run in a test of documents, with the tests that cover them and the reason.
    private static let runElsewhere = [
        "vt install web": "InstallTests; the command requires a portable binary, which a debug build is not",
        "vt serve": "PageTests; the command runs until it is interrupted",
        "vt share build --expires 1h": "PageTests; the command needs a running server",
        "vt share --revoke L2": "PageTests; the command needs a running server",
    ]

    @Test(.asRoot, arguments: [["README.md"], guide])
    func `every command prints what the document shows`(paths: [String]) async throws {
        let pages = try paths.map { try String(contentsOfFile: "\(TestTree.root)/\($0)", encoding: .utf8) }
        let commands = pages.flatMap { DocumentCommand.all(in: $0) }.filter {
            !$0.line.hasPrefix("make ") && Self.runElsewhere[$0.line] == nil
        }
        try #require(commands.count > 5)
        let scratch = try ScratchDirectory()
        for (number, command) in commands.enumerated() {
            try scratch.write(command.line + "\n", to: "\(number).sh")
        }
        let script = "\(TestTree.root)/Tests/Documents/Support/readme.sh"
        let namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
        // In a session of its own, as on a machine: sessions would end with the first process of the namespace.
        let command = ["bash", "-c", #"setsid --wait "$0" "$@"; exit $?"#, script, scratch.path, TestTree.vt]
        let run = try await ProgramCall("unshare", namespaces + command).run()
        try #require(run.status == .exited(0), "\(run.errorText)")
        for (number, command) in commands.enumerated() {
            let result = try CommandResult(number: number, in: scratch.path)
            #expect(result.exit == 0, "\(command): \(result.messages)")
            if !command.output.isEmpty {
                #expect(try result.matches(command.output), "\(command)\n\(result.output)\n\(result.messages)")
            }
        }
    }

    @Test func `every make target named in the README exists`() async throws {
        let readme = try String(contentsOfFile: "\(TestTree.root)/README.md", encoding: .utf8)
        let lines = DocumentCommand.all(in: readme).map(\.line).filter { $0.hasPrefix("make ") }
        try #require(!lines.isEmpty)
        let makefile = try String(contentsOfFile: "\(TestTree.root)/Makefile", encoding: .utf8)
        for line in lines {
            let words = line.prefix { $0 != "#" }.split(separator: " ").dropFirst().filter { !$0.contains("=") }
            for target in words {
                #expect(makefile.contains("\n.PHONY: \(target)\n"), "\(line)")
            }
        }
    }
}
