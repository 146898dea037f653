import Foundation
import TestSupport
import Testing

/// `vt sessions screen` with `--find`, `--region` and `--expect`, on this machine and a server.
@Suite(.crowded)
struct ScreenExpectTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await Lab.withVt()
    }

    /// Creates a session that shows a screen and, after a line of input, another one.
    private func create(_ session: String) async throws {
        let script =
            "stty -echo; printf '\\033[1;31mERROR\\033[m one\\r\\nat 12:34:56\\r\\n漢字 ERROR\\r\\n$ '; "
            + "read x; printf '\\033[2;1Hend 01:02:03'; read y"
        try await vt.check("sessions", "create", session, "--size", "30x6", "--", "sh", "-c", script)
        try await vt.check("sessions", "wait", session, "--screen", "$", "--timeout", "60s")
    }

    private func screen(_ session: String, _ options: String...) async throws -> ProgramResult {
        try await vt.call(["sessions", "screen", session] + options).run()
    }

    @Test(arguments: ["s", "p:s"])
    func `finds texts by their appearance and their place`(session: String) async throws {
        try await create(session)
        for (options, places) in [
            (["ERROR"], "0,0 5 ERROR\n5,2 5 ERROR\n"), (["ERROR", "--fg", "red", "--bold"], "0,0 5 ERROR\n"),
            (["error", "-i", "--fg", "default"], "5,2 5 ERROR\n"), (["ERROR", "--fg", "blue"], ""),
            (["^at ([0-9]+:?)+$", "--regex"], "0,1 11 at 12:34:56\n"), (["字 E"], "2,2 4 字 E\n"),
            (["ERROR", "--region", "30x2+0+1"], "5,2 5 ERROR\n"), (["ERROR", "--region", "9x6+0+0"], "0,0 5 ERROR\n"),
            (["one", "--bg", "#102030"], ""), (["one", "--at", "19"], "6,0 3 one\n"),
            (["$", "--count", "1"], "0,3 1 $\n"),
        ] as [([String], String)] {
            let result = try await vt.call(["sessions", "screen", session, "--find"] + options).run()
            #expect(result.text == places, "\(options) \(result.errorText)")
            #expect(result.exit == (places.isEmpty ? 1 : 0), "\(options)")
        }
        #expect(try await screen(session, "--find", "ERROR", "--count", "1").exit == 1)
        #expect(try await screen(session, "--find", "never", "--count", "0").exit == 0)
        let json = try await screen(session, "--find", "ERROR", "--bold", "--json").json()
        let place = try #require((json["places"] as? [[String: any Sendable]])?.first)
        #expect(place["line"] as? String == "ERROR one")
        let run = try #require((place["runs"] as? [[String: any Sendable]])?.first)
        #expect(run["foreground"] as? Int == 1 && run["attributes"] as? [String] == ["bold"])
        // The half of a wide character is blank.
        #expect(try await screen(session, "--region", "5x2+1+2", "--cursor").text == " 字 E\n █\n")
    }

    @Test(arguments: ["s", "p:s"])
    func `compares the screen with a file`(session: String) async throws {
        try await create(session)
        let path = "\(vt.home)/golden.txt"
        let mask = ["--mask", "[0-9]+(:[0-9]+)+"]
        func expect(_ options: String...) async throws -> ProgramResult {
            try await vt.call(["sessions", "screen", session, "--expect", path] + mask + options).run()
        }
        #expect(try await expect().exit == 66)
        #expect(try await expect("--update").exit == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "ERROR one\nat ***\n漢字 ERROR\n$\n")
        #expect(try await expect().exit == 0)
        #expect(try await expect("--json").json()["equal"] as? Bool == true)
        let styles = "\(vt.home)/golden.json"
        let colors = ["sessions", "screen", session, "--expect", styles, "--styles", "--region", "30x1+0+0"]
        try await vt.call(colors + ["--update"]).check()
        #expect(try String(contentsOfFile: styles, encoding: .utf8).contains("\"foreground\":1"))
        try "ERROR one\nend ***\n漢字 ERROR\n$\n".write(toFile: path, atomically: true, encoding: .utf8)
        let late = try await expect("--timeout", "200ms")
        #expect(late.exit == 1)
        #expect(
            late.text == "--- \(path)\n+++ screen\n@@ -1,4 +1,4 @@\n ERROR one\n-end ***\n+at ***\n 漢字 ERROR\n $\n",
            "\(late.errorText)"
        )
        async let equal = expect("--timeout", "60s")
        // The result is the same if the screen changes before the command waits.
        try await Task.sleep(for: .milliseconds(200))
        try await vt.check("sessions", "send", session, "--enter")
        #expect(try await equal.exit == 0)
        #expect(try await vt.call(colors).run().exit == 0)
    }

    @Test func `a link is not followed, and nothing is written unless it is different`() async throws {
        try await create("s")
        let (path, link) = ("\(vt.home)/golden", "\(vt.home)/link")
        try await vt.check("sessions", "screen", "s", "--expect", path, "--update")
        let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        try await vt.check("sessions", "screen", "s", "--expect", path, "--update")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date == time)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for options in [[], ["--update"]] {
            let result = try await vt.call(["sessions", "screen", "s", "--expect", link] + options).run()
            #expect(result.exit == 65 && result.errorText.contains("symbolic link"))
        }
    }

    @Test(arguments: [
        ["--find", ""], ["--find", "(", "--regex"], ["--find", "x", "--fg", "nocolor"], ["--count", "1"],
        ["--mask", "x"],
        ["--expect", "f", "--mask", "("], ["--find", "x", "--format", "svg"], ["--expect", "f", "--format", "html"],
        ["--region", "5x5"], ["--region", "5x5+0+99999999999999999999"], ["--timeout", "1s"],
        ["--cursor", "--format", "svg"], ["--cursor", "--format", "png"], ["--find", "x", "--format", "png"],
        ["--scale", "2"], ["--scale", "2", "--format", "svg"], ["--scale", "0", "--format", "png"],
        ["--join", "--format", "png"], ["--json", "--format", "png"],
        ["--find", "x", "--expect", "f"], ["--bold"], ["--update"],
    ])
    func `options that do not fit are an error`(_ options: [String]) async throws {
        let result = try await vt.call(["sessions", "screen", "s"] + options).run()
        #expect(result.exit == 64, "\(result.errorText)")
    }
}
