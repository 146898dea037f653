import Foundation
import TestSupport
import Testing

/// Compares how vt and asciinema 2 interpret recordings, including those made by the other program.
struct AsciinemaTests {
    /// Programs that script(1) records, by name.
    private static let programs = [
        "vim": "vim -u NONE -c 'call setline(1, range(1, 99))' -c 'set nu' -c 'normal G' -c 'redraw' -c 'q!'",
        "htop": "timeout --foreground 1 htop",
        "a build": "make -p -f /dev/null",
        "colors": "for i in $(seq 0 255); do printf '\\033[38;5;%dm%d\\033[0m\\t' $i $i; done",
        "wide characters":
            "printf '\\346\\274\\242\\345\\255\\227 \\360\\237\\221\\215\\n'; sleep 0.1; printf '\\346\\274'",
        "input": "read line; printf '%s|' \"$line\"; tput cols",
        "noise": "head -c 30000 /dev/urandom",
    ]

    /// Handwritten recordings with events that none of the programs above produces.
    private static let recordings = [
        "resizes":
            #"[1, "o", "a"]\#n[1, "r", "90x30"]\#n[1, "o", "b\u001b[8;30;90t"]\#n[1, "r", "20x5"]\#n[1, "x", "0"]"#,
        "markers": #"[0, "m", ""]\#n[0.5, "o", "\u0000\u007f\u009b"]\#n[0, "m", "build \"x\""]\#n[1, "q", "?"]"#,
        "idleness": #"[0.000001, "o", "\ud83d\ude00"]\#n[86400, "o", "\r\n"]\#n[1e-6, "o", "\ufffd"]"#,
    ]

    /// Expects `asciinema cat` and `asciinema play` to print the same bytes as vt.
    ///
    /// asciinema requires a terminal, which script(1) provides.
    private static func expectAgreement(_ vt: Vt, _ name: String) async throws {
        let raw = try await vt.bash("vt cast convert ~/\(name) --format raw")
        #expect(raw.exit == 0)
        #expect(try await vt.bash("vt cast convert ~/\(name) --format v2 -o ~/two.cast").exit == 0)
        for command in ["cat", "play -i 0.001"] {
            let read = try await vt.bash(
                "script -qec \"asciinema $1 ~/two.cast >~/read\" /dev/null </dev/null >&2 && cat ~/read",
                command
            )
            #expect(read.exit == 0, "\(read.errorText)")
            #expect(read.output == raw.output, "\(command)")
        }
    }

    @Test(arguments: programs.keys.sorted())
    func `asciinema interprets a program's output as vt does`(_ name: String) async throws {
        let vt = try Vt()
        let program = try #require(Self.programs[name])
        let path = try vt.writeElsewhere(program, to: "program")
        let recording = try await vt.bash(
            "cd; TERM=xterm-256color script -q -m advanced -T times -B out -c \"bash $1\" <<<'typed' >/dev/null; "
                + "vt cast convert out --timing times -o one.cast && vt cast info one.cast --json",
            path
        )
        #expect(recording.exit == 0, "\(recording.errorText)")
        #expect(try #require(try recording.json()["output_bytes"] as? Int) > 10)
        try await Self.expectAgreement(vt, "one.cast")
    }

    @Test(arguments: recordings.keys.sorted())
    func `asciinema interprets handwritten events as vt does`(_ name: String) async throws {
        let vt = try Vt()
        let events = try #require(Self.recordings[name])
        let text = #"{"version": 3, "term": {"cols": 80, "rows": 24}, "idle_time_limit": 0.01}"# + "\n\(events)\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(vt.home)/one.cast"))
        try await Self.expectAgreement(vt, "one.cast")
    }

    @Test func `vt reads asciinema's recordings`() async throws {
        let vt = try Vt()
        let recorded = try await vt.bash(
            "asciinema rec -q --cols 70 --rows 20 -c 'printf \"a\\303\\244\"; seq 5' ~/one.cast </dev/null"
        )
        #expect(recorded.exit == 0, "\(recorded.errorText)")
        let info = try await vt.run("cast", "info", "\(vt.home)/one.cast", "--json").json()
        #expect(info["version"] as? Int == 2)
        #expect((info["size"] as? [String: Int]) == ["columns": 70, "rows": 20])
        try await Self.expectAgreement(vt, "one.cast")
    }
}
