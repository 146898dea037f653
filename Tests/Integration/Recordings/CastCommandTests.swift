import Foundation
import TestSupport
import Testing

/// `vt cast screen|grep|info|redact|render` on the command line.
@Suite(.crowded)
struct CastCommandTests {
    private let vt: Vt
    private let file: String

    init() throws {
        vt = try Vt()
        file = try vt.writeElsewhere(
            """
            {"version": 2, "width": 30, "height": 4, "title": "a film"}
            [0.5, "o", "\\u001b[32mone\\u001b[m\\r\\n"]
            [1.5, "m", "here"]
            [2.5, "o", "token=abc\\r\\n"]

            """,
            to: "a.cast"
        )
    }

    @Test func `prints a screen of a file and of a pipe`() async throws {
        #expect(try await vt.check("cast", "screen", file, "--at", "marker:here") == "one\n")
        let piped = try await vt.run("cast", "screen", "-", "--at", "50%", input: Data(contentsOf: url).map { $0 })
        #expect(piped.text == "one\n")
        let json = try await vt.run("--json", "cast", "screen", file).json()
        #expect(json["events"] as? Int == 3)
        #expect(json["time"] as? Double == 2.5)
    }

    private var url: URL { URL(fileURLWithPath: file) }

    @Test func `prints matches like grep`() async throws {
        let found = try await vt.run("cast", "grep", "[a-z]+$", file)
        #expect(found.status == .exited(0))
        #expect(found.text == "0.5:0:one\n2.5:1:token=abc\n")
        let none = try await vt.run("cast", "grep", "two", file)
        #expect(none.status == .exited(1))
        #expect(none.text.isEmpty && none.errors.isEmpty)
        let many = try await vt.run("cast", "grep", "-ic", "ONE", file, file)
        #expect(many.text == "\(file):1\n\(file):1\n")
        let quiet = try await vt.run("-q", "cast", "grep", "one", file)
        #expect(quiet.status == .exited(0))
        #expect(quiet.text.isEmpty)
    }

    @Test func `a damaged file does not prevent other files from being searched`() async throws {
        let bad = try vt.writeElsewhere("hello\n", to: "bad.cast")
        let result = try await vt.run("cast", "grep", "one", bad, file)
        #expect(result.status == .exited(65))
        #expect(result.text == "\(file):0.5:0:one\n")
        let folder = try await vt.run("cast", "grep", "one", vt.home, file)
        #expect(folder.status == .exited(74))
        #expect(folder.text == result.text)
        #expect(folder.errorText.split(separator: "\n").count == 1)
    }

    @Test func `prints matches before a damaged line`() async throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let damaged = try vt.writeElsewhere(text + "[0\n[9, \"o\", \"late\"]\n", to: "damaged.cast")
        let result = try await vt.run("cast", "grep", "[a-z]+$", damaged)
        #expect(result.status == .exited(65))
        #expect(result.text == "0.5:0:one\n2.5:1:token=abc\n")
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "253402300800"])
    func `omits a date that cannot be represented`(_ seconds: String) async throws {
        let text = "{\"version\": 2, \"width\": 80, \"height\": 24, \"timestamp\": \(seconds)}\n"
        let late = try vt.writeElsewhere(text, to: "late.cast")
        #expect(try await vt.run("cast", "info", late).status == .exited(0))
        #expect(try await vt.run("cast", "info", late, "--json").json()["timestamp"] == nil)
    }

    @Test func `writes a complete copy without the redacted text, and does not overwrite a file`() async throws {
        let out = file + ".public"
        let result = try await vt.run("cast", "redact", file, "--secrets", "-o", out)
        #expect(result.status == .exited(0))
        #expect(result.errorText == "vt: '\(file)': replaced 1 piece of text (secret)\n")
        let text = try String(contentsOfFile: out, encoding: .utf8)
        #expect(text.contains("[2.5, \"o\", \"token=***\\r\\n\"]"))
        let modes = try await vt.bash(#"touch "$1.new"; stat -c %a "$1" "$1.new""#, out).text.split(separator: "\n")
        #expect(modes.count == 2 && modes.first == modes.last)
        let again = try await vt.run("cast", "redact", file, "--secrets", "-o", out)
        #expect(again.status == .exited(73))
    }

    @Test func `requires an option that specifies what to redact`() async throws {
        #expect(try await vt.run("cast", "redact", file).status == .exited(64))
    }

    @Test func `renders an image that other programs can read`() async throws {
        let svg = file + ".svg"
        try await vt.check("cast", "render", file, "-o", svg)
        #expect(try String(contentsOfFile: svg, encoding: .utf8).contains("<title>a film</title>"))
        let drawn = try await vt.bash("rsvg-convert --format=png '\(svg)' | head -c 4 | tail -c 3")
        #expect(drawn.text == "PNG")
        #expect(try await vt.check("cast", "render", file, "--format", "html", "--at", "1").contains("<pre"))
    }

    @Test func `renders a GIF from frames, and removes temporary files`() async throws {
        let scratch = try ScratchDirectory()
        let gif = scratch.path("a.gif")
        let made = try await vt.run("cast", "render", file, "-o", gif, environment: ["TMPDIR": scratch.path])
        #expect(made.status == .exited(0))
        #expect(try Data(contentsOf: URL(fileURLWithPath: gif)).starts(with: Array("GIF89a".utf8)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["a.gif"])
    }

    @Test func `draws each distinct frame of a GIF once, and no additional frames for the palette`() async throws {
        let scratch = try ScratchDirectory()
        let header = #"{"version": 3, "term": {"cols": 20, "rows": 4}}"# + "\n"
        let events = (0..<200).map { #"[0.5, "o", "\#($0.isMultiple(of: 2) ? "\\rtick" : "\\rtock")"]"# + "\n" }
        let film = try scratch.write(header + events.joined(), to: "film.cast")
        // The script logs each call and runs the real program.
        let script = "#!/bin/sh\necho \"${0##*/} $*\" >>\"$CALLS\"\nPATH=${PATH#*:} exec \"${0##*/}\" \"$@\"\n"
        for name in ["rsvg-convert", "ffmpeg"] { try scratch.write(script, to: "bin/\(name)", mode: 0o700) }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let made = try await vt.run(
            "cast",
            "render",
            film,
            "-o",
            scratch.path("a.gif"),
            environment: ["PATH": "\(scratch.path("bin")):\(path)", "CALLS": scratch.path("calls")]
        )
        #expect(made.status == .exited(0))
        let calls = try String(contentsOfFile: scratch.path("calls"), encoding: .utf8).split(separator: "\n")
        // One for the empty screen, and one for each of the two alternating screens.
        #expect(calls.count { $0.hasPrefix("rsvg-convert ") } == 3)
        let packing = calls.filter { $0.hasPrefix("ffmpeg ") }
        #expect(packing.map { $0.contains("palettegen") } == [true, false])
        #expect(packing.allSatisfy { !$0.contains("split") })
    }

    @Test func `reports a missing program, with a hint to install it`() async throws {
        let result = try await vt.run("cast", "render", file, "--format", "gif", environment: ["PATH": "/nowhere"])
        #expect(result.status == .exited(66))
        #expect(
            result.errorText
                == "vt: 'rsvg-convert' is required to render a GIF, but it is not installed\n"
                + "hint: install the package librsvg2-bin\n"
        )
    }

    @Test(arguments: [
        ["--fps", "31"], ["--speed", "0"], ["--size", "x"], ["--at", "1"], ["--force"], ["--theme", "none"],
    ])
    func `rejects invalid arguments`(_ words: [String]) async throws {
        let result = try await vt.call(["cast", "render", file] + words).run()
        #expect(result.status == .exited(64))
    }
}
