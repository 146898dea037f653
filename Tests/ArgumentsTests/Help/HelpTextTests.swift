import Arguments
import Core
import Testing

@Suite struct HelpTextTests {
    private let tree = SampleTree.tree

    @Test func `short help for a command fits on a screen`() {
        #expect(
            HelpText(tree, isLong: false).command(SampleTree.exec) == """
                vt exec - run a command

                Usage: vt exec [OPTIONS] [TARGET] [--] COMMAND...

                Options:
                  -p, --port PORT           connect to this port
                  -l, --user USER           log in as this user
                      --tag TAG             run on these (may be repeated)
                      --all                 run on all profiles
                      --stdin inherit|none  what the command reads (default: inherit)
                      --identity FILE       use this key
                  -t, --pty                 give it a terminal

                Run 'vt help exec' for details, examples and global options.

                """
        )
    }

    @Test func `long help begins with what most users need`() {
        var spec = SampleTree.exec
        spec.description += ["# Details", "Many of them.", "    input   1", "    input 2", "And more."]
        spec.commonOptions = ["tag", "port"]
        spec.options += [any CommandOption].under("Places", topic: "places", [SampleTree.jump]).map(\.spec)
        spec.exitCodes = [.negative, .timedOut, .authDenied]
        spec.statuses = [1: "nothing was found"]
        var tree = tree
        tree.overview.guides = ["exec": ["guide/exec.md"]]
        #expect(
            HelpText(tree, isLong: true).command(spec) == """
                vt exec - run a command

                Usage: vt exec [OPTIONS] [TARGET] [--] COMMAND...

                Runs a command.

                Common options:
                      --tag TAG    run on these (may be repeated)
                  -p, --port PORT  connect to this port

                Examples:
                  # list files
                  vt exec web -- ls -la

                Details:
                  Many of them.

                      input   1
                      input 2

                  And more.

                Options:
                  -p, --port PORT           connect to this port
                  -l, --user USER           log in as this user
                      --tag TAG             run on these (may be repeated)
                      --all                 run on all profiles
                      --stdin inherit|none  what the command reads (default: inherit)
                      --identity FILE       use this key
                  -t, --pty                 give it a terminal

                Places (see 'vt help places'):
                  --jump

                Global options (see 'vt help'):
                  --json, --quiet, --verbose, --color, --help

                Exit status:
                  n      the exit status of the program
                  1      nothing was found
                  124    timed-out: a timeout expired
                  128+n  the program was terminated by signal n
                  255    vt failed, where other statuses are those of a program

                Documentation:
                  docs/guide/exec.md

                """
        )
    }

    @Test func `other commands list only the statuses that scripts tell apart`() {
        var spec = SampleTree.copy
        spec.exitCodes = [.busy, .authDenied, .config]
        spec.statuses = [0: "everything was copied"]
        let text = HelpText(tree, isLong: true).command(spec)
        #expect(
            text.hasSuffix(
                """
                Exit status:
                  0      everything was copied
                  75     busy: the session or file is in use
                  64-78  an error ('vt help exit-codes')

                """
            )
        )
    }

    @Test func `a command without such statuses has no table of them`() {
        #expect(!HelpText(tree, isLong: true).command(SampleTree.version).contains("Exit status"))
    }

    @Test func `a topic has headings and the options that it explains`() {
        let topic = TopicSpec(
            "places",
            summary: "where things are",
            description: ["Everywhere.", "# There", "Not here."],
            options: [SampleTree.jump]
        )
        var tree = tree
        tree.overview.topics = [topic]
        let help = HelpText(tree, isLong: true)
        #expect(
            help.topic(topic) == """
                vt help places - where things are

                Everywhere.

                There:
                  Not here.

                Options:
                      --jump PROFILE  connect through it

                """
        )
        #expect(help.overview().contains("Topics of 'vt help':\n  places  where things are\n"))
    }

    @Test func `help for a group lists its verbs`() {
        #expect(
            HelpText(tree, isLong: true).group("profile") == """
                vt profile - save servers

                Usage: vt profile VERB ...

                Verbs:
                  add   save a server
                  show  show profiles

                Run 'vt help profile VERB' for details.

                """
        )
    }

    @Test func `the overview lists the first words of commands, the long overview all commands`() {
        let short = HelpText(tree, isLong: false).overview()
        let long = HelpText(tree, isLong: true).overview()
        #expect(short.contains("\nCommands:\n  profile  save servers\n  exec     run a command\n"))
        #expect(long.contains("\nCommands:\n  profile add   save a server\n  profile show  show profiles\n"))
    }

    @Test func `the overview starts with examples and lists commands under headings, in one column`() {
        var tree = tree
        tree.overview.examples = [ExampleSpec("vt exec web -- ls", "list files")]
        tree.overview.sections = [SectionSpec("Servers", ["exec", "profile"]), SectionSpec("Empty", ["nothing"])]
        let text = HelpText(tree, isLong: false).overview()
        #expect(
            text.contains("\n\nUsage: vt [OPTIONS] COMMAND ...\n\nExamples:\n  # list files\n  vt exec web -- ls\n\n")
        )
        #expect(text.contains("\n\nServers:\n  profile  save servers\n  exec     run a command\n\nGlobal"))
    }

    @Test func `wraps lines at 80 columns and indents continuation lines`() {
        let words = Array(repeating: "word", count: 60).joined(separator: " ")
        var spec = SampleTree.exec
        spec.description = [words + "."]
        spec.options[0] = Option.flag("long", summary: words).spec
        let lines = HelpText(tree, isLong: true).command(spec).split(separator: "\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 80 })
        #expect(lines.contains { $0.hasPrefix("                            word word") })
    }

    @Test func `lists many choices only in the long help`() {
        var spec = SampleTree.exec
        let choices = (1...20).map { "algorithm-\($0)" }
        spec.options = [Option("allow", .text("NAME", choices: choices), summary: "allow it").spec]
        let short = HelpText(tree, isLong: false).command(spec)
        let long = HelpText(tree, isLong: true).command(spec)
        #expect(short.contains("      --allow NAME  allow it\n"))
        #expect(long.contains("      --allow NAME  allow it. NAME is one of algorithm-1, algorithm-2,"))
    }
}
