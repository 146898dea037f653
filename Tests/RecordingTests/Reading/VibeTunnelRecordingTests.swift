import Core
import Recording
import Testing

/// The session files of VibeTunnel: `stdout`, or `stream-out` in the first version.
struct VibeTunnelRecordingTests {
    private static let header = """
        {"version":2,"width":80,"height":24,"timestamp":1795472624,"env":{"TERM":"xterm-256color"}}

        """

    @Test func `the last line is the exit status`() throws {
        let recording = try #require(
            try ReadRecording(Self.header + #"[0.5,"o","out\r\n"]"# + "\n" + #"["exit",3,"bc715700-dec0"]"# + "\n")
        )
        #expect(recording.texts == ["0.5 o out\r\n", "0.5 x 3"])
        #expect(recording.events.last?.content == .exit(3))
        #expect(recording.notes == [])
    }

    @Test(arguments: [#"["exit",0,"a"]"#, #" [ "exit" , 0 , "a" ] "#, #"["exit",0]"#])
    func `the last line needs no line end`(_ line: String) throws {
        let recording = try ReadRecording(Self.header + line)
        #expect(recording?.texts == ["0.0 x 0"])
        #expect(recording?.notes == [])
    }

    @Test func `a status of -1 is unknown`() throws {
        let recording = try ReadRecording(Self.header + #"["exit",-1,"a"]"# + "\n")
        #expect(recording?.texts == [])
        #expect(recording?.notes == ["line 2: the exit status is unknown"])
    }

    @Test func `input can be an array of bytes`() throws {
        let lines = #"[1.5,"i",[108,115,13]]"# + "\n" + #"[2,"i",[195]]"# + "\n" + #"[3,"o",[]]"# + "\n"
        let recording = try ReadRecording(Self.header + lines)
        #expect(recording?.texts == ["1.5 i ls\r", "2.0 i \u{FFFD}", "3.0 o "])
        #expect(recording?.notes == ["line 3: replaced invalid UTF-8 with U+FFFD"])
    }

    @Test(arguments: [#"["exit",3,"bc71"#, #"["exit""#, #"["#, #"[1,"i",[10"#])
    func `the last line can be cut`(_ line: String) throws {
        let recording = try ReadRecording(Self.header + #"[0.5,"o","a"]"# + "\n" + line)
        #expect(recording?.texts == ["0.5 o a"])
        #expect(recording?.notes == ["line 3: the recording ends in the middle of the line"])
    }

    @Test(arguments: [
        (#"["exit","3","a"]"#, "the time is not a number"), (#"["exit"]"#, "an event must have 3 elements, not 1"),
        (#"["end",3,"a"]"#, "the time is not a number"),
        (#"[1,"i",[256]]"#, "the data is an array instead of a string"),
        (#"[-1,"i",[1]]"#, "the time is negative"), (#"["exit",3000000000,"a"]"#, "the time is not a number"),
    ])
    func `other lines are reported`(_ line: String, _ message: String) {
        let error = readError(Self.header + line + "\n")
        #expect(error?.code == .dataInvalid)
        #expect(error?.message == "line 2: \(message)")
    }

    @Test func `version 3 has none of this`() {
        let header = #"{"version": 3, "term": {"cols": 80, "rows": 24}}"# + "\n"
        #expect(readError(header + #"["exit",3,"a"]"# + "\n")?.message == "line 2: the time is not a number")
    }

    @Test func `bytes arrive in any pieces`() throws {
        let text = Self.header + #"[1,"i",[108,115]]"# + "\n" + #"["exit",3,"a"]"# + "\n"
        let whole = try ReadRecording(text)
        for piece in 1...9 { #expect(try ReadRecording(text, piece: piece) == whole) }
    }
}
