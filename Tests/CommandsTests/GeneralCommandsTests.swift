import Arguments
import Commands
import Core
import Foundation
import Testing

@Suite struct GeneralCommandsTests {
    private let fixture = RunFixture()

    @Test func `version prints the version, and with --json the libraries`() async throws {
        #expect(await fixture.run("version") == 0)
        #expect(fixture.output.text == "vt 0.1.0\n")
        let json = RunFixture()
        #expect(await json.run("version --json") == 0)
        let document = try #require(try json.document() as? [String: Any])
        #expect(document["version"] as? String == "0.1.0")
        #expect(document["libraries"] as? [String: String] == ["libexample": "1.2.3"])
    }

    @Test(arguments: CommandTable.tree.visibleCommands.map(\.name))
    func `prints help for every command`(name: String) async {
        let help = RunFixture()
        let long = RunFixture()
        #expect(await help.run("help \(name)") == 0)
        #expect(await long.run("\(name) --help") == 0)
        #expect(help.output.text == long.output.text)
        #expect(help.output.text.hasPrefix("vt \(name) - "))
    }

    @Test(arguments: CommandTable.tree.visibleGroups.map(\.name))
    func `prints help for every group`(name: String) async {
        #expect(await fixture.run("help \(name)") == 0)
        #expect(fixture.output.text.hasPrefix("vt \(name) - "))
    }

    @Test func `help with --json prints the whole table`() async throws {
        #expect(await fixture.run("help --json") == 0)
        let document = try #require(try fixture.document() as? [String: Any])
        let commands = try #require(document["commands"] as? [[String: Any]])
        #expect(commands.count == CommandTable.tree.visibleCommands.count)
        #expect(Set(document.keys).isSuperset(of: ["version", "global_options", "groups", "exit_statuses"]))
    }

    @Test func `help lists the exit statuses`() async throws {
        #expect(await fixture.run("help exit-codes --json") == 0)
        let rows = try #require(try fixture.document() as? [[String: String]])
        #expect(rows.count == VTError.Code.allCases.count + 3)
        let text = RunFixture()
        #expect(await text.run("help exit-codes") == 0)
        #expect(text.output.text.split(separator: "\n").allSatisfy { $0.utf8.count <= 80 })
        #expect(text.output.text.contains("\n  69     host.unreachable  "))
    }

    @Test func `help for an unknown topic suggests the closest topic`() async {
        #expect(await fixture.run("help verison") == 64)
        #expect(
            fixture.errorOutput.text == "vt: no help for 'verison'\nhint: did you mean 'vt help version'?\n"
        )
    }

    @Test func `complete prints nothing for an unknown list`() async {
        #expect(await fixture.run("complete zebras x") == 0)
        #expect(fixture.output.text == "")
        #expect(await RunFixture().run("complete targets lo") == 0)
    }

    @Test func `filter copies standard input without what the rules remove`() async {
        let filter = RunFixture(input: MemoryInput("a\u{1B}[1;41mb\u{1B}#6\u{1B}[0mc\u{1B}["))
        #expect(await filter.run("filter strip-bg strip-decline") == 0)
        #expect(filter.output.text == "a\u{1B}[1mb\u{1B}[0mc\u{1B}[")
        let strip = RunFixture(input: MemoryInput("a\u{1B}[1;41mb\u{1B}["))
        #expect(await strip.run("filter strip") == 0)
        #expect(strip.output.text == "ab")
    }

    @Test func `an unknown filter rule is an error that names the nearest rule`() async {
        #expect(await fixture.run("filter strip-gb") == 64)
        #expect(
            fixture.errorOutput.text == "vt: invalid value 'strip-gb' for RULE\nhint: did you mean 'strip-bg'?\n"
        )
    }
}
