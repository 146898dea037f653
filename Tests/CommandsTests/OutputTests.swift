import Commands
import Core
import Testing

@Suite struct OutputTests {
    private func rendered(_ style: OutputStyle) -> String {
        var table = TextTable(["NAME", "HOST", "NOTE"])
        table.add(["web", "web.example", ""])
        table.add(["語", "h", "a\u{1b}[2Jb"])
        table.add(["e\u{301}\u{1f600}", "x", "last"])
        return table.rendered(in: style)
    }

    @Test func `aligns columns by their width in cells`() {
        #expect(
            rendered(.plain) == """
                NAME  HOST         NOTE
                web   web.example
                語    h            a\\x1b[2Jb
                e\u{301}\u{1f600}   x            last

                """
        )
    }

    @Test func `lines are clipped only if they are wider than the terminal`() {
        let clipped = rendered(OutputStyle(isColored: false, columns: 20))
        #expect(clipped.split(separator: "\n").allSatisfy { String($0).displayWidth <= 20 })
        #expect(clipped.hasPrefix("NAME  HOST         …\nweb   web.example\n"))
        #expect(rendered(OutputStyle(isColored: false, columns: 80)) == rendered(.plain))
    }

    @Test func `colors do not affect the layout`() {
        let colored = rendered(OutputStyle(isColored: true, columns: nil))
        #expect(colored.hasPrefix("\u{1b}[1mNAME  HOST         NOTE\u{1b}[0m\n"))
    }

    @Test func `a document contains no terminal control characters`() throws {
        let stream = MemoryOutput()
        try Output(stream, style: .plain).jsonLine(["k": "a\u{1b}\u{9b}\u{7f}\u{202e}/é"])
        #expect(stream.text == #"{"k":"a\u001b\u009b\u007f\u202e/é"}"# + "\n")
    }

    @Test func `a document is on one line unless it is written to a terminal`() throws {
        let (pipe, terminal) = (MemoryOutput(), MemoryOutput(isTerminal: true))
        for stream in [pipe, terminal] { try Output(stream, style: .plain).json(["k": [1]]) }
        #expect(pipe.text == #"{"k":[1]}"# + "\n")
        #expect(terminal.text.split(separator: "\n").count > 1)
    }

    @Test func `text terminates its last line once, and empty text prints nothing`() throws {
        let stream = MemoryOutput()
        let output = Output(stream, style: .plain)
        try output.text("")
        try output.text("a")
        try output.text("b\n")
        #expect(stream.text == "a\nb\n")
    }
}
