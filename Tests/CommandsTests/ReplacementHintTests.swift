import Arguments
import Commands
import Core
import Testing

/// Hints for users who type the commands of other programs, and rejected file names.
@Suite struct ReplacementHintTests {
    @Test(arguments: [
        ("logs build", "did you mean 'vt sessions logs'?"),
        ("ps", "did you mean 'vt sessions list'?"), ("send x y", "did you mean 'vt sessions send'?"),
        ("wait x", "did you mean 'vt sessions wait'?"), ("kill x", "did you mean 'vt sessions kill'?"),
        ("create x", "did you mean 'vt sessions create'?"), ("cleanup", "did you mean 'vt sessions cleanup'?"),
        ("resize x", "did you mean 'vt sessions resize'?"), ("trust web", "did you mean 'vt host trust'?"),
        ("sessions ls", "did you mean 'vt sessions list'?"), ("render x", "did you mean 'vt cast render'?"),
        ("sessions rm x", "did you mean 'vt sessions kill --rm'?"),
        ("show x", "did you mean 'vt sessions show', or 'vt profile show' for a server?"),
        ("cp a web:b", "did you mean 'vt copy'?"), ("shell web", "did you mean 'vt ssh'?"),
        ("login web", "did you mean 'vt ssh'?"),
        ("connect web", "did you mean 'vt ssh', or 'vt attach' for a session?"),
        (
            "run x",
            "use vt exec TARGET COMMAND or, to keep the program running, vt sessions create NAME -- COMMAND"
        ),
        ("htop", "to run a program in a session: vt sessions create NAME -- htop"),
    ])
    func `another program's command produces a hint`(line: String, hint: String) async {
        let fixture = RunFixture()
        #expect(await fixture.run(line) == 64)
        #expect(fixture.errorOutput.text.hasSuffix("hint: \(hint)\n"), "\(fixture.errorOutput.text)")
    }

    @Test func `exec without a command refers to vt ssh, and without a target to its forms`() async {
        let fixture = RunFixture()
        #expect(await fixture.run("exec web") == 255)
        #expect(fixture.errorOutput.text.hasSuffix("use 'vt ssh [USER@]HOST' or 'vt ssh PROFILE'\n"))
        let other = RunFixture()
        #expect(await other.run("exec") == 255)
        #expect(other.errorOutput.text.hasSuffix("hint: TARGET is [USER@]HOST or a profile; see 'vt help exec'\n"))
    }

    @Test func `replaced words are not commands, but their replacements are`() throws {
        let tree = CommandTable.tree
        for (words, hint) in tree.overview.replacements {
            #expect(tree.command(at: words.split(separator: " ").map(String.init)) == nil, "\(words)")
            for quoted in hint.split(separator: "'").filter({ $0.hasPrefix("vt ") }) {
                let path = quoted.split(separator: " ").dropFirst().map(String.init)
                let isCommand = (1...2).contains { tree.command(at: Array(path.prefix($0))) != nil }
                #expect(isCommand, "\(quoted)")
            }
        }
    }

    @Test(arguments: [
        "cast render a.cast -o a.png", "cast render a.cast -o a.PDF", "cast convert a.cast -o x.gif",
        "cast convert a.cast -o x.svg", "cast cut a.cast --from 1 -o x.gif",
        "cast redact a.cast --secrets -o x.cast.gz",
        "record build -o x.mp4",
    ])
    func `rejects a file name with the extension of another format`(line: String) async {
        let fixture = RunFixture()
        #expect(await fixture.run(line) == 64)
        #expect(fixture.errorOutput.text.contains("does not end in ."), "\(fixture.errorOutput.text)")
    }
}
