import Arguments
import TestSupport
import Testing

@Suite struct ManualPageTests {
    private let pages = ManualPage(SampleTree.tree).all()

    @Test func `there is one page for vt, and one for each group and command`() throws {
        #expect(
            Set(pages.keys) == [
                "vt.1", "vt-profile-add.1", "vt-profile-show.1", "vt-exec.1", "vt-copy.1", "vt-version.1", "vt-help.1",
                "vt-profile.1",
            ]
        )
        let group = try #require(pages["vt-profile.1"])
        #expect(group.contains(".Nm vt profile\n.Ar COMMAND\n.Op Ar ...\n"))
        #expect(group.contains(".It Xr vt-profile-add 1\nsave a server\n.It Xr vt-profile-show 1\nshow profiles\n"))
    }

    @Test func `escapes words that are special to roff`() async throws {
        var spec = SampleTree.exec
        spec.description = [
            #"A path such as C:\new or '.hidden' or "Op" stays. -x and --long-name and a well-known word."#,
            ".dots at the beginning, and 'quotes' `there`, ~ and ^.",
        ]
        spec.options[0] = Option.flag("macro", summary: "Ar is not a macro here").spec
        spec.examples = [.init(#"vt exec web -- printf '%s\n' "$HOME" -- .x"#, "print 'all' of it")]
        var tree = SampleTree.tree
        tree.entries = SampleTree.entries([spec])
        let scratch = try ScratchDirectory()
        let page = try #require(ManualPage(tree).all()["vt-exec.1"])
        let path = try scratch.write(page, to: "vt-exec.1")
        let shown = try await ProgramCall(
            "/bin/sh",
            ["-c", "mandoc -T ascii -O width=200 \"$1\" | col -b", "sh", path]
        ).check()
        let text = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for paragraph in spec.description { #expect(text.contains(paragraph)) }
        #expect(text.contains("--macro Ar is not a macro here."))
        #expect(text.contains("--stdin inherit | none What the command reads (default: inherit)."))
        #expect(text.contains(#"Print 'all' of it: vt exec web -- printf '%s\n' "$HOME" -- .x"#))
        #expect(text.contains("vt exec [OPTIONS] [TARGET] [--] COMMAND ..."))
    }

    @Test func `refers to the pages of the same section, of topics and of the documentation`() throws {
        var tree = SampleTree.tree
        tree.overview.sections = [
            SectionSpec("Servers", ["profile", "exec", "copy"]), SectionSpec("Help", ["version", "help"]),
        ]
        tree.overview.files = [FileSpec("~/.ssh/config", "configuration of OpenSSH")]
        tree.overview.topics = [
            TopicSpec("places", summary: "where things are", description: ["Everywhere.", "# Options", "Here."]),
            TopicSpec("table", summary: "a page of its own", description: []),
        ]
        tree.overview.guides = ["exec": ["guide/exec.md", "more.md"]]
        var exec = SampleTree.exec
        exec.options += [any CommandOption].under("Places", topic: "places", [SampleTree.jump, SampleTree.tag]).map(
            \.spec
        )
        tree.entries = SampleTree.entries(tree.commands.map { $0.name == "exec" ? exec : $0 })
        let pages = ManualPage(tree).all()
        #expect(pages["vt-table.7"] == nil)
        let topic = try #require(pages["vt-places.7"])
        #expect(topic.contains(".Dt VT-PLACES 7\n"))
        #expect(topic.contains(".Sh DESCRIPTION\nEverywhere.\n.Ss Options\nHere.\n"))
        let page = try #require(pages["vt-exec.1"])
        #expect(page.contains(".Ss Places\n\\-\\-jump, \\-\\-tag: see\n.Xr vt-places 7 .\n"))
        #expect(
            page.hasSuffix(
                ".Sh SEE ALSO\n.Xr vt 1 ,\n.Xr vt-copy 1 ,\n.Xr vt-profile 1\n.Pp\n.Pa share/doc/vt/docs/guide/exec.md ,\n"
                    + ".Pa share/doc/vt/docs/more.md\n"
            )
        )
        let add = try #require(pages["vt-profile-add.1"])
        #expect(add.hasSuffix(".Sh SEE ALSO\n.Xr vt 1 ,\n.Xr vt-profile 1\n"))
        let overview = try #require(pages["vt.1"])
        #expect(overview.contains(".Ss Servers\n.Bl -tag -width Ds\n.It Xr vt-profile-add 1\n"))
        #expect(
            overview.contains(
                ".Sh FILES\n.Bl -tag -width Ds\n.It Pa \\(ti/.ssh/config\nConfiguration of OpenSSH.\n.El\n"
            )
        )
        #expect(overview.hasSuffix(".Sh SEE ALSO\n.Xr vt-places 7\n"))
    }

    @Test func `a description has headings, and lines of input that are not wrapped`() throws {
        var spec = SampleTree.exec
        spec.description = ["Runs.", "    a   b", "    c", "More.", "# Details", "Long ones."]
        var tree = SampleTree.tree
        tree.entries = SampleTree.entries([spec])
        let page = try #require(ManualPage(tree).all()["vt-exec.1"])
        #expect(
            page.contains(
                ".Sh DESCRIPTION\nRuns.\n.Pp\n.Dl a\\ \\  b\n.Dl c\n.Pp\nMore.\n.Ss Details\nLong ones.\n.Ss Options\n"
            )
        )
    }
}
