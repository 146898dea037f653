import Commands
import Core
import CoreTestSupport
import Testing

/// The options for selecting, ordering and formatting lists.
@Suite struct ListOptionsTests {
    private func fixture() throws -> RunFixture {
        let store = MemoryProfileStore(
            try .named("db") {
                $0.tags = ["prod", "eu"]
                $0.port = 1022
            },
            try .named("test") {
                $0.note = "a\tb\\n\nc\u{1b}"
                $0.environment = ["LANG": "C"]
            },
            try .named("web") {
                $0.tags = ["prod"]
                $0.port = 443
            }
        )
        return RunFixture(machine: FakeMachine(profiles: store))
    }

    @Test(arguments: [
        ("--fields name,port", "db\t1022\ntest\t22\nweb\t443\n"),
        (
            "--fields name,note,tags,environment.LANG,environment",
            #"test a\tb\\n\nc\x1b [] C {"LANG":"C"}"#.replacing(" ", with: "\t") + "\n"
        ),
        (#"--format {{{name}}}:\t{port}\\"#, "{db}:\t1022\\\n{test}:\t22\\\n{web}:\t443\\\n"),
        ("--ids", "db\ntest\nweb\n"),
        ("--ids --sort port", "test\nweb\ndb\n"),
        ("--ids --sort -port", "db\nweb\ntest\n"),
        ("--ids --sort -name", "web\ntest\ndb\n"),
        ("--ids --sort note", "test\ndb\nweb\n"),
        ("--ids --sort -note", "test\ndb\nweb\n"),
        ("--ids --filter tags=prod", "db\nweb\n"),
        ("--ids --filter tags=prod --filter port=4*", "web\n"),
        ("--ids --filter tags=", "test\n"),
        ("--ids --filter note=", "db\nweb\n"),
        ("--ids --filter name=?e*", "test\nweb\n"),
        ("--ids --filter name=none", ""),
    ])
    func `rows are selected, ordered and formatted`(options: String, expected: String) async throws {
        let fixture = try fixture()
        let isOne = options.contains("note,")
        #expect(await fixture.run("profile list \(options)" + (isOne ? " --filter name=test" : "")) == 0)
        #expect(fixture.output.text == expected)
    }

    @Test func `the table and JSON contain the selected rows in order`() async throws {
        let table = try fixture()
        #expect(await table.run("profile list --filter tags=prod --sort -name") == 0)
        #expect(table.output.text.split(separator: "\n").map { $0.prefix { $0 != " " } } == ["NAME", "web", "db"])
        let json = try fixture()
        #expect(await json.run("profile list --json --filter tags=prod --sort port") == 0)
        let profiles = try #require(json.document() as? [[String: Any]])
        #expect(profiles.map { $0["name"] as? String } == ["web", "db"])
    }

    @Test(arguments: [
        ("--fields name,nam", "--fields: unknown field 'nam'"),
        ("--fields name.x", "--fields: unknown field 'name.x'"),
        ("--fields name,", "--fields: unknown field ''"),
        ("--format {nam}", "--format: unknown field 'nam'"),
        ("--format {name", "--format: '{name' is not closed"),
        ("--format name}", "--format: unexpected '}' in 'name}'"),
        (#"--format {name}\q"#, #"--format: unknown escape sequence '\q'"#),
        (#"--format {name}\"#, #"--format: unknown escape sequence '\'"#),
        ("--sort -nam", "--sort: unknown field 'nam'"),
        ("--filter nam=x", "--filter: unknown field 'nam'"),
        ("--filter name", "--filter: 'name' has no '='"),
        ("--ids --json", "options '--ids' and '--json' cannot be used together"),
        ("--fields name --format {name}", "options '--fields' and '--format' cannot be used together"),
    ])
    func `an invalid option is an error`(options: String, message: String) async throws {
        let fixture = try fixture()
        #expect(await fixture.run("profile list \(options)") == 64)
        let isJSON = options.contains("--json")
        #expect(isJSON || fixture.errorOutput.text.hasPrefix("vt: \(message)\n"), "\(fixture.errorOutput.text)")
        #expect(fixture.output.text == "")
    }

    @Test func `an unknown field is an error that lists the fields`() async throws {
        let fixture = try fixture()
        #expect(await fixture.run("sessions list --format {stat}") == 64)
        let text = fixture.errorOutput.text
        #expect(text.hasPrefix("vt: --format: unknown field 'stat'\nhint: the fields are id, name, state, "))
        #expect(text.contains(", shell, shell.") && text.contains(", error, error.code, "))
    }

    @Test func `connections are not closed by a selection`() async {
        let fixture = RunFixture()
        #expect(await fixture.run("profile connections --close --filter name=web") == 64)
    }
}
