import Core
import SessionHost
import Terminal
import TestSupport
import Testing

struct HolderScreenTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    @Test(arguments: [
        "seq 1 60000",
        "for i in $(seq 3000); do printf '\\033[%dm漢字 é %d\\033[K ' $((i % 108)) $i; done",
        "printf '\\033]0;title\\007\\033[?1049h\\033[2;5r\\033[Hedit'; head -c 300000 /dev/zero | tr '\\0' x",
        "printf 'kept\\033]0;open'; head -c 3000000 /dev/zero | tr '\\0' x", "printf 'text \\033[1;3'",
    ])
    func `the screen equals a replay of all output`(_ line: String) async throws {
        let record = try await lab.create("x", "stty -onlcr; \(line); printf ' \\n'; sleep 1000")
        #expect(await eventually { (try? self.lab.output(of: record).suffix(2)) == Array(" \n".utf8) })
        #expect(try await differences(from: record) == [])
    }

    @Test func `also shows a large screen full of colors`() async throws {
        let program = """
            i=0; while [ $i -lt 28000 ]; do printf '\\033[48;2;%d;109;110;38;2;108;%d;255mx' $((i%256)) $((i%99)); \
            i=$((i+1)); done; printf ' \\n'; sleep 1000
            """
        var request = try lab.request("x", "/bin/sh", "-c", program)
        request.creation.size = try TerminalSize(parsing: "320x100")
        let record = try await lab.host.create(request)
        #expect(await eventually { (try? self.lab.output(of: record).suffix(3)) == Array(" \r\n".utf8) })
        #expect(try await differences(from: record) == [])
    }

    @Test func `the screen equals a replay after shrinking to the minimum and back`() async throws {
        let record = try await lab.create("x", "stty -echo; for i in 1 2 3 4 5 6 7; do printf '漢字%d ' $i; done; cat")
        #expect(try await lab.output(of: record, holds: "字7 "))
        let client = try await HolderClientConnection(lab.files(record))
        for (index, size) in ["9x5", "1x1", "2x1", "80x24"].enumerated() {
            let size = try TerminalSize(parsing: size)
            try client.send(.resize(size))
            #expect(try await client.next() == .done)
            let bytes = Array("字\(index)\n".utf8)
            try client.send(.input(sequence: UInt64(index + 1), isChecked: false, bytes: bytes))
            guard case .accepted = try await client.next() else { throw FixtureError("the input was not accepted") }
            #expect(try await lab.output(of: record, holds: "字\(index)\r\n"))
            #expect(try await differences(from: record) == [])
        }
    }

    @Test func `later output completes a sequence that is incomplete in the screen`() async throws {
        let program = "stty -echo; printf 'a\\033[31'; read line; printf 'mred\\n'; sleep 1000"
        let record = try await lab.create("x", program)
        #expect(try await lab.output(of: record, holds: "\u{1B}[31"))
        let client = try await HolderClientConnection(lab.files(record))
        _ = try await client.attach()
        guard case .screen(_, let bytes) = try await client.next() else { throw FixtureError("no screen") }
        var terminal = Emulator(size: .standard)
        terminal.feed(bytes)
        try client.send(.input(sequence: 1, isChecked: false, bytes: [0x0a]))
        while !terminal.screen().rows[0].text.hasSuffix("red") {
            if case .output(_, let bytes) = try await client.next() { terminal.feed(bytes) }
        }
        #expect(terminal.screen().rows[0].runs().map(\.text) == ["a", "red"])
        #expect(terminal.screen().rows[0].runs().last?.style.foreground == .indexed(1))
    }

    /// The differences between the holder's screen and the screen of a terminal that received all output.
    private func differences(from record: Session) async throws -> [String] {
        let client = try await HolderClientConnection(lab.files(record))
        guard case .attached(_, _, let size?) = try await client.attach(isReadOnly: true),
            case .screen(let offset, let bytes) = try await client.next()
        else { throw FixtureError("no screen") }
        var terminal = Emulator(size: size)
        terminal.feed(bytes)
        var replay = LogEmulator(size: size, scrollbackBytes: 1 << 20)
        try replay.follow(try lab.host.log(of: record.id), to: offset)
        let (shown, wanted) = (terminal.screen(), replay.emulator.screen())
        return zip(shown.rows, wanted.rows).filter { $0.cells != $1.cells }.map { "\($0.text), not \($1.text)" }
            + (shown.cursor == wanted.cursor ? [] : ["\(shown.cursor), not \(wanted.cursor)"])
            + (shown.modes == wanted.modes ? [] : ["modes"]) + (shown.title == wanted.title ? [] : ["title"])
    }
}
