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

    @Test func `lists files, and refers to the pages of the same section`() throws {
        var tree = SampleTree.tree
        tree.overview.sections = [
            SectionSpec("Servers", ["profile", "exec"]), SectionSpec("Help", ["version", "help"]),
        ]
        var commands = tree.commands
        let index = try #require(commands.firstIndex { $0.name == "exec" })
        commands[index].files = [FileSpec("~/.ssh/config", "configuration of OpenSSH")]
        tree.entries = SampleTree.entries(commands)
        let pages = ManualPage(tree).all()
        let exec = try #require(pages["vt-exec.1"])
        #expect(
            exec.contains(".Sh FILES\n.Bl -tag -width Ds\n.It Pa \\(ti/.ssh/config\nConfiguration of OpenSSH.\n.El\n")
        )
        #expect(exec.hasSuffix(".Sh SEE ALSO\n.Xr vt 1 ,\n.Xr vt-profile-add 1 ,\n.Xr vt-profile-show 1\n"))
        let add = try #require(pages["vt-profile-add.1"])
        #expect(add.hasSuffix(".Sh SEE ALSO\n.Xr vt 1 ,\n.Xr vt-exec 1 ,\n.Xr vt-profile 1 ,\n.Xr vt-profile-show 1\n"))
        #expect(try #require(pages["vt.1"]).contains(".Ss Servers\n.Bl -tag -width Ds\n.It Xr vt-profile-add 1\n"))
    }
}
