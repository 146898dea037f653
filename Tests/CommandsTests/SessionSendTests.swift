import Commands
import Core
import CoreTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

/// `vt sessions send`, with a program that changes its modes whenever it gets input.
@Suite struct SessionSendTests {
    /// The input that the program has received, one element per frame.
    private final class Program: Sendable {
        private let inputs = Mutex<[String]>([])

        var received: [String] { inputs.withLock { $0 } }

        /// Cursor keys are in application mode, and the text on the screen is moved, after every second input.
        func answers(to frame: SessionFrame) -> [SessionFrame] {
            let count = received.count
            switch frame {
            case .attach:
                let screen = "\(count % 2 == 1 ? "\u{1B}[?1h\u{1B}[2;3H" : "")<OK>\u{1B}[?1000h\u{1B}[?1006h"
                return [
                    .attached(offset: 10, lastInput: 0, size: TerminalSize(columns: 20, rows: 5)),
                    .screen(offset: 10, bytes: Array(screen.utf8)),
                ]
            case .input(let sequence, _, let bytes):
                let text = String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "ESC")
                inputs.withLock { $0.append(text) }
                return [.accepted(sequence: sequence, offset: UInt64(10 + count), isHidden: false)]
            default: return []
            }
        }
    }

    private let program = Program()

    private func fixture(_ input: String = "") -> RunFixture {
        let program = program
        let session = FakeSessionStore.Kept(
            record: .sample("s"),
            holder: { FakeHolder { program.answers(to: $0) } }
        )
        return RunFixture(machine: FakeMachine(sessions: FakeSessionStore([session])), input: MemoryInput(input))
    }

    @Test(arguments: [
        ("make Enter", "Enter"), ("C-c", "C-c"), ("Delete --enter", nil), ("Home --key Up", nil), ("^C x", "^C"),
        ("--text Enter", nil),
        ("up", nil),
        ("x A", nil), ("Update", nil),
    ])
    func `a key name in TEXT is sent as text, with a note`(_ words: String, _ name: String?) async {
        let fixture = fixture()
        #expect(await fixture.run("sessions send s \(words)") == 0)
        let note = name.map { "vt: '\($0)' is sent as text; to press a key, use --key \($0)\n" } ?? ""
        #expect(fixture.errorOutput.text == note)
    }

    @Test(arguments: [
        ("--key Up x --enter --key Down", ["ESC[Ax\rESC[B"]),
        ("--key Up x --enter --key Down --delay 1ms", ["ESC[A", "x", "\r", "ESCOB"]),
        ("--key Up --repeat 3", ["ESC[AESC[AESC[A"]),
        ("--key Up --repeat 3 --delay 1ms", ["ESC[A", "ESCOA", "ESC[A"]),
        ("a b --key Up --repeat 2", ["a bESC[Aa bESC[A"]),
        ("--click OK --click OK --delay 1ms", ["ESC[<0;2;1MESC[<0;2;1m", "ESC[<0;4;2MESC[<0;4;2m"]),
        ("--click 19,4 --button right", ["ESC[<2;20;5MESC[<2;20;5m"]),
        ("--click OK --clicks 2 --delay 1ms", ["ESC[<0;2;1MESC[<0;2;1mESC[<0;2;1MESC[<0;2;1m"]),
        ("--drag 1,0:OK --delay 1ms", ["ESC[<0;2;1MESC[<0;2;1m"]),
        ("--drag 1,0:2,0 --button right", ["ESC[<2;2;1MESC[<2;3;1m"]),
        ("--scroll up --scroll down:2@OK --delay 1ms", ["ESC[<64;11;3M", "ESC[<65;4;2MESC[<65;4;2M"]),
        ("--click <O --key Escape y", ["ESC[<0;1;1MESC[<0;1;1mESCy"]),
        ("--stdin --key C-c --file -", ["in\u{3}"]),
        // Any word is a text, with its place, and is not joined with others by a space.
        ("--text -x --enter --text --key a b --text= --text c --key Up d", ["-x\r--keya bcESC[Ad"]),
        ("--enter --text -- -- -y", ["\r---y"]), ("--text= --repeat 2", [""]),
    ])
    func `sends all at once or, with a delay, one by one`(_ words: String, _ expected: [String]) async {
        let fixture = fixture("in")
        #expect(await fixture.run("sessions send s \(words)") == 0, "\(fixture.errorOutput.text)")
        #expect(program.received == expected)
        // The offset is that before the first input.
        #expect(fixture.output.text == "10\n")
    }

    @Test func `sends files in the order given`() async throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/input"
        try "text\0\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(await fixture().run("sessions send s a --file \(path) b --file \(path) --repeat 2") == 0)
        #expect(program.received == [String(repeating: "atext\0\nbtext\0\n", count: 2)])
    }

    @Test(arguments: [
        ("--key PageDwn", 64, "did you mean 'PageDown'?"), ("--key Up --repeat 0", 64, "1 to 10000"),
        ("--key Up --repeat 10001", 64, "1 to 10000"), ("--key Up --button left", 64, "--button requires --click"),
        ("--clicks 2 x", 64, "--clicks requires --click"), ("--scroll left", 64, "invalid direction 'left'"),
        ("--scroll up:0", 64, "invalid direction"), ("--scroll up:@1,1", 64, "invalid direction"),
        ("--drag 1,1", 64, "invalid places '1,1'"), ("--drag 1,1:", 64, "the text to click is empty"),
        ("--hover 1,1", 1, "mode 1003"), ("--scroll up@20,0", 1, "20,0 is outside the screen"),
        ("--click Cancel", 1, "'Cancel' is not on the screen"), ("--click 20,0", 1, "20,0 is outside the screen"),
        ("--key Super-x", 1, "kitty's keyboard protocol"), ("--file /nothing", 66, "'/nothing'"),
        ("--key Up --repeat 2 --delay 1h --timeout 1ms", 124, "the input was not sent completely within 1ms"),
    ])
    func `reports what cannot be sent`(_ words: String, _ status: UInt8, _ text: String) async {
        let fixture = fixture()
        #expect(await fixture.run("sessions send s \(words)") == .status(status))
        #expect(fixture.errorOutput.text.contains(text), "\(fixture.errorOutput.text)")
        #expect(program.received.count <= 1)
    }

    @Test func `repeated input is bounded`() async throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/input"
        try Data(count: 7000).write(to: URL(fileURLWithPath: path))
        let fixture = fixture()
        #expect(await fixture.run("sessions send s --file \(path) --repeat 10000") == 65)
        #expect(fixture.errorOutput.text == "vt: the input is longer than 67108864 bytes\n")
        #expect(program.received == [])
    }
}
