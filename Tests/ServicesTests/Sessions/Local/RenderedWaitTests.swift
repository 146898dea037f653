import Core
import CoreTestSupport
import Services
import TestSupport
import Testing

/// Tests `wait --match`.
@Suite struct RenderedWaitTests {
    private func wait(
        _ fixture: SessionFixture,
        _ expression: String,
        from offset: UInt64 = 0
    ) async throws -> WaitOutcome {
        let condition = WaitCondition.match(try LinePattern(expression), text: expression)
        return try await fixture.client.wait(WaitRequest([condition], from: offset, timeout: .patience), of: "build")
    }

    private func ended(_ output: String) -> SessionFixture {
        .ended(MemoryLog(Array(output.utf8)))
    }

    @Test(arguments: [
        ("\u{1B}[31mer\u{1B}[32mror\u{1B}[0m: x\r\n", "^error: x$", "error: x", 22),
        ("10%\r 55%\r100%\r\n", "^ 55%", " 55%", 8),
        ("10%\r 55%\r100%\r\n", "^100%$", "100%", 12),
        ("helo\u{8}lo\r\n", "^hello$", "hello", 7),
        ("wrong\r\u{1B}[Kright\r\n", "^right$", "right", 14),
        ("wrong\r\u{1B}[Kright\r\n", "^wrong$", "wrong", 5),
        ("\u{1B}[2J\u{1B}[5;10Hbar\u{1B}[5;7Hfoo", "foobar$", "foobar", 23),
        ("a\tb\r\n", "^a {7}b", "a       b", 3),
        ("\u{1B}[?1049h\u{1B}[3;3Hdialog\u{1B}[?1049l", "dialog", "dialog", 20),
        ("login:   ", "login: +$", "login:   ", 9),
        ("login:   ", "login:$", "login:", 6),
        ("one\r\n\r\n", "^$", "", 7),
    ])
    func `lines match as displayed`(output: String, expression: String, match: String, offset: UInt64) async throws {
        let found = try await wait(ended(output), expression)
        #expect(found.match == match)
        #expect(found.offset == offset)
        let again = await #expect(throws: VTError.self) { try await wait(ended(output), expression, from: offset) }
        #expect(again?.code == .negative)
    }

    @Test(arguments: [(nil, "built: 1"), (12, "built: 2"), (24, nil)] as [(UInt64?, String?)])
    func `without an offset, searches from the last sent input`(sent: UInt64?, match: String?) async throws {
        var record = Session.sample("build", state: .exited)
        (record.exit, record.sentOffset) = (.exited(0), sent)
        let fixture = SessionFixture([.init(record: record, log: MemoryLog(Array("built: 1\r\n% built: 2\r\n% ".utf8)))]
        )
        let condition = WaitCondition.match(try LinePattern("BUILT: .", ignoresCase: true), text: "BUILT: .")
        guard let match else {
            let error = await #expect(throws: VTError.self) {
                try await fixture.client.wait(WaitRequest([condition], timeout: .patience), of: "build")
            }
            #expect(error?.code == .negative)
            return
        }
        let found = try await fixture.client.wait(WaitRequest([condition], timeout: .patience), of: "build")
        #expect(found.match == match)
    }

    @Test func `a wrapped line is one line, with the number of its first row`() async throws {
        let long = String(repeating: "x", count: 100) + " needle " + String(repeating: "y", count: 100)
        let found = try await wait(ended("first\r\n" + long + "\r\nlast\r\n"), "x needle y")
        #expect(found.line == long)
        #expect(found.row == 1)
        #expect(found.offset == 7 + 109)
    }

    @Test func `text that is never displayed as a line does not match`() async throws {
        let output = "\u{1B}[3;1Hbar\u{1B}[2;1Hfoo"
        await #expect(throws: VTError.self) { try await wait(ended(output), "barfoo") }
    }

    @Test func `examines the screen when no more output follows`() async throws {
        let found = try await wait(.running(["\u{1B}[H\u{1B}[Jmenu: ", "[ ] one"]), "menu: \\[ \\]")
        #expect(found.match == "menu: [ ]")
        #expect(found.offset == 15)
    }

    @Test(arguments: 0..<30)
    func `the result does not depend on how output is split`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var output = ""
        for line in 0..<40 {
            let colour = "\u{1B}[3\(Int.random(in: 0..<8, using: &random))m"
            output +=
                [
                    "line \(colour)\(line)\u{1B}[0m of 40\r\n", "\u{1B}[\(line % 9 + 1);5H\(colour)<\(line)>\r",
                    "\(line)0%\r\(line)1%\r", String(repeating: "w", count: 90) + "\(line)\r\n",
                ][Int.random(in: 0..<4, using: &random)]
        }
        let bytes = Array((output + "the end\r\n").utf8)
        let expression = "(line|[<w0-9 ]) ?\(seed + 5)[ >]?|the end"
        let whole = try await wait(.ended(MemoryLog(bytes)), expression)
        var frames: [SessionFrame] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + Int.random(in: 1...30, using: &random), bytes.count)
            frames.append(.output(offset: UInt64(start), bytes: Array(bytes[start..<end])))
            start = end
        }
        let pieces = try await wait(.live(MemoryLog(bytes), frames), expression)
        #expect(pieces.match == whole.match)
        #expect(pieces.line == whole.line)
        #expect(pieces.offset == whole.offset)
    }

    @Test func `resizes the terminal at the offset where the session was resized`() async throws {
        let frames: [SessionFrame] = [
            .output(offset: 0, bytes: Array("\u{1B}[1;90Hone\r\n".utf8)), .resized(try TerminalSize(parsing: "100x30")),
            .output(offset: 12, bytes: Array("\u{1B}[30;90Htwo\r\n".utf8)),
        ]
        #expect(try await wait(.live(MemoryLog([]), frames), "^ {79}one$").offset == 10)
        let two = try await wait(.live(MemoryLog([]), frames), "^ {89}two$")
        #expect(two.offset == 23)
        #expect(two.row == 29)
    }

    @Test func `an offset far back in the output is exact`() async throws {
        var output = "\u{1B}[1;1Hneed\u{1B}[2;1H"
        for count in 0..<30_000 { output += "\u{1B}[2;1H\(count)" }
        output += "\u{1B}[1;5Hle"
        let found = try await wait(ended(output + String(repeating: "\u{1B}[m", count: 9000)), "needle")
        #expect(found.offset == UInt64(output.utf8.count))
    }
}
