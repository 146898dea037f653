import Arguments
import Commands
import TestSupport
import Testing

/// Runs the examples of the manual pages, those of each page on a machine of their own.
@Suite struct ExampleRunTests {
    struct Page: Sendable, CustomTestStringConvertible {
        /// The command, or "vt" for the examples of vt(1).
        let name: String
        let examples: [String]

        var testDescription: String { name }

        static let all: [Page] =
            [Page(name: "vt", examples: CommandTable.tree.overview.examples.map(\.command))]
            + CommandTable.tree.visibleCommands.filter { !$0.examples.isEmpty }.map { spec in
                Page(name: spec.name, examples: spec.examples.map(\.command))
            }
    }

    /// Examples that cannot run here, with the tests that cover them and the reason.
    private static let runElsewhere: [String: String] = [
        "vt install web": "InstallTests; the command requires a portable binary, which a debug build is not",
        "vt install --tag prod": "InstallTests; the command requires a portable binary, which a debug build is not",
    ]

    /// The exit statuses of the examples that do not exit with 0.
    private static let statuses: [String: Int32] = [
        "vt exec local -- sh -c 'exit 3'": 3,
        "vt host scan --tag prod --filter status=changed": 77,
    ]

    @Test(.asRoot, .crowded, arguments: Page.all)
    func `every example does what the manual page says`(_ page: Page) async throws {
        let examples = page.examples.filter { Self.runElsewhere[$0] == nil }.map { DocumentCommand(text: $0) }
        try await DocumentRun(examples, with: "examples.sh").expectSuccess(except: Self.statuses)
    }

    @Test func `the examples with exceptions exist`() {
        let examples = Set(Page.all.flatMap(\.examples))
        for example in [String](Self.runElsewhere.keys) + Self.statuses.keys {
            #expect(examples.contains(example), "\(example)")
        }
    }
}
