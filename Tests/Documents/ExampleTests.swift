import Arguments
import Commands
import Core
import Foundation
import TestSupport
import Testing

/// A command line from the manual or another document, to be parsed by a real shell.
struct Example: Sendable, CustomTestStringConvertible {
    /// The command whose manual page contains the example; nil for vt(1) and other documents.
    let owner: String?
    let line: String

    var testDescription: String { line }

    static let manual: [Example] =
        CommandTable.tree.overview.examples.map { Example(owner: nil, line: $0.command) }
        + CommandTable.all.flatMap { command in
            command.type.spec.examples.map { Example(owner: command.name, line: $0.command) }
        }

    /// The calls of vt in blocks that are no shell commands, such as the configuration of a CI system.
    static let configurations: [Example] = Document.all.flatMap { document in
        // A document that cannot be read makes ReadmeTests fail.
        ((try? document.configurationLines()) ?? []).map { Example(owner: nil, line: $0) }
    }
}

/// Parses all examples without running them, which `ExampleRunTests` does, but only as root.
@Suite struct ExampleTests {
    /// Shell functions that replace all programs: `vt` writes its arguments, each terminated by NUL, to a new file.
    private static let programs = """
        vt() { if (($#)); then printf '%s\\0' "$@"; fi >"$RECORDS/$BASHPID.$((++calls))"; }
        command_not_found_handle() { :; }

        """

    @Test(arguments: Example.manual + Example.configurations)
    func `an example is valid as written`(_ example: Example) async throws {
        let lines = try await words(of: example)
        try #require(!lines.isEmpty, "the example does not call vt")
        var paths: [String] = []
        for words in lines {
            let request = Parser(CommandTable.tree).parse(words).request
            if case .reject(let error) = request { throw error }
            guard case .run(let call) = request else { continue }
            let command = try #require(CommandTable.all.first { $0.name == call.spec.name })
            try command.type.check(call)
            paths.append(call.spec.name)
        }
        if let owner = example.owner { #expect(paths.contains(owner)) }
    }

    @Test func `documents contain configurations with calls of vt`() {
        #expect(Example.configurations.count > 5)
    }

    /// The arguments of each call to vt in the line, as parsed by bash; no other program is available.
    private func words(of example: Example) async throws -> [[ByteString]] {
        let scratch = try ScratchDirectory()
        let records = try scratch.makeDirectory("records")
        var call = ProgramCall("/bin/bash", ["-c", Self.programs + example.line])
        call.environment = ["PATH": scratch.path("nothing"), "RECORDS": records, "HOME": scratch.path]
        call.directory = try scratch.makeDirectory("work")
        _ = try scratch.makeDirectory("work/parts")
        _ = try await call.run()
        return try FileManager.default.contentsOfDirectory(atPath: records).map { name in
            try scratch.read("records/\(name)").split(separator: 0, omittingEmptySubsequences: false).dropLast()
                .map { ByteString($0) }
        }
    }
}
