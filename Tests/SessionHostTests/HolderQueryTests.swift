import Core
import Foundation
import SessionHost
import TestSupport
import Testing

struct HolderQueryTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    /// A line of sh that sends a query, reads the reply up to its final byte, and prints the reply without ESC.
    private static func ask(_ query: String, end: String) -> String {
        "stty raw -echo; printf '\(query)'; s=; while :; do c=$(dd bs=1 count=1 2>/dev/null); s=$s$c; "
            + "[ \"$c\" = '\(end)' ] && break; done; stty sane; printf 'got:'; printf %s \"$s\" | tr -d '\\033'; echo .; "
    }

    @Test(arguments: [
        ("ab\\033[6n", "R", "[1;3R"), ("\\033[c", "c", "[?62;22c"),
        ("\\033]11;?\\033\\\\\\\\", "\\", "]11;rgb:1e1e/1e1e/1e1e\\"),
    ])
    func `answers a program while no client is attached`(_ query: String, _ end: String, _ answer: String) async throws
    {
        let record = try await lab.create("x", Self.ask(query, end: end) + "sleep 1000")
        #expect(try await lab.output(of: record, holds: "got:\(answer)."))
    }

    @Test func `with two clients, a query receives one reply with the colors reported last`() async throws {
        let program =
            "read line; " + Self.ask("\\033]11;?\\007\\033[6n", end: "R") + Self.ask("\\033[5n", end: "n")
            + "sleep 1000"
        let record = try await lab.create("x", program)
        let first = try await HolderClientConnection(lab.files(record))
        let second = try await HolderClientConnection(lab.files(record))
        for (client, token) in [(first, UInt8(1)), (second, 2)] { _ = try await client.attach(token: token) }
        var colors = TerminalColors()
        colors[.background] = 0xABCDEF
        try first.send(.colors(colors))
        try first.send(.input(sequence: 1, isChecked: false, bytes: [0x0A]))
        #expect(try await lab.output(of: record, holds: "got:[0n."))
        let text = try lab.text(of: record)
        #expect(text.contains("got:]11;rgb:abab/cdcd/efef\u{7}["))
        #expect(text.split(separator: "R.").count == 2)
        // The timeline contains only the typed line as input.
        let events = try String(contentsOfFile: lab.files(record).events, encoding: .utf8)
        #expect(events.split(separator: "\n").filter { $0.contains("\"i\"") }.count == 1)
    }

    @Test func `a program that never reads replies is not blocked`() async throws {
        let program =
            "stty raw -echo; i=0; while [ $i -lt 20000 ]; do printf '\\033[c\\033[6n\\033]11;?\\007'; i=$((i+1)); done; echo done; sleep 1000"
        let record = try await lab.create("x", program)
        #expect(try await lab.output(of: record, holds: "done"))
        let client = try await HolderClientConnection(lab.files(record))
        _ = try await client.attach()
        guard case .screen = try await client.next() else { throw FixtureError("no screen") }
    }

    @Test func `a reply does not interrupt a client's input`() async throws {
        // The terminal accepts a few KiB at a time, and the program sends a query while input is still pending.
        let program = """
            stty raw -echo; printf ready; head -c 1 >/dev/null; printf '\\033[c'; sleep 0.2; \
            head -c 100000 | tr -d 'x' | tr '\\033' E | tr -d '\\n'; sleep 1000
            """
        let record = try await lab.create("x", program)
        #expect(try await lab.output(of: record, holds: "ready"))
        let client = try await HolderClientConnection(lab.files(record))
        _ = try await client.attach(from: 0)
        try client.send(
            .input(sequence: 1, isChecked: false, bytes: Array((String(repeating: "x", count: 60_000) + "MARK").utf8))
        )
        try client.send(
            .input(sequence: 2, isChecked: false, bytes: Array((String(repeating: "x", count: 60_000)).utf8))
        )
        #expect(try await lab.output(of: record, holds: "MARKE[?62;22c"))
    }

    @Test func `a redraw request sends the screen again`() async throws {
        let record = try await lab.create("x", "echo shown; sleep 1000")
        #expect(try await lab.output(of: record, holds: "shown"))
        let client = try await HolderClientConnection(lab.files(record))
        _ = try await client.attach()
        for _ in 0..<2 {
            guard case .screen(_, let bytes) = try await client.next() else { throw FixtureError("no screen") }
            #expect(String(decoding: bytes, as: UTF8.self).contains("shown"))
            try client.send(.redraw)
        }
    }

    @Test func `a program that has requested size reports receives each size`() async throws {
        let program = Self.ask("\\033[?2048h", end: "t") + Self.ask("", end: "t") + "sleep 1000"
        let record = try await lab.create("x", program)
        #expect(try await lab.output(of: record, holds: "got:[48;24;80;384;640t."))
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.resize(TerminalSize(columns: 100, rows: 30)))
        #expect(try await lab.output(of: record, holds: "got:[48;30;100;480;800t."))
    }
}
