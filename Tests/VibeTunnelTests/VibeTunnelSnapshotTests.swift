import Core
import Terminal
import TestSupport
import Testing
import VibeTunnel

struct VibeTunnelSnapshotTests {
    private static let header = "5456 0100 0a000000 01000000 00000000 00000000 00000000 00000000"

    private static let bold = VibeTunnelCell(text: "A", attributes: .bold, foreground: .indexed(1))
    private static let all: VibeTunnelCell.Attributes = [
        .bold, .italic, .underline, .dim, .inverse, .invisible, .struck,
    ]

    private static func cells(_ text: String...) -> [VibeTunnelCell] {
        text.map { VibeTunnelCell(text: $0) }
    }

    /// Snapshots that upstream's code has encoded.
    private static let golden: [(snapshot: VibeTunnelSnapshot, hexadecimal: String)] = [
        (
            VibeTunnelSnapshot(columns: 80, rows: [cells("h", "i")], cursor: (2, 0)),
            "54560100500000000100000000000000020000000000000000000000fd020001680169"
        ),
        (
            VibeTunnelSnapshot(columns: 10, rows: [[], cells("x"), []]),
            "545601000a0000000300000000000000000000000000000000000000fe01fd01000178fe01"
        ),
        (
            VibeTunnelSnapshot(
                columns: 10,
                rows: [
                    [
                        bold, VibeTunnelCell(text: "B", background: .indexed(4)),
                        VibeTunnelCell(text: "C", attributes: all),
                    ]
                ]
            ),
            "545601000a0000000100000000000000000000000000000000000000fd0300a14101019142000481437f"
        ),
        (
            VibeTunnelSnapshot(
                columns: 10,
                rows: [
                    [
                        VibeTunnelCell(text: "R", foreground: .rgb(255, 128, 0), background: .rgb(16, 32, 48))
                    ]
                ]
            ),
            "545601000a0000000100000000000000000000000000000000000000fd0100bd5200ff8000102030"
        ),
        (
            VibeTunnelSnapshot(columns: 10, rows: [[VibeTunnelCell(text: "R", foreground: .indexed(16))]]),
            "545601000a0000000100000000000000000000000000000000000000fd0100a1520010"
        ),
        (
            VibeTunnelSnapshot(columns: 10, rows: [cells("世", "e", " ", ".")]),
            "545601000a0000000100000000000000000000000000000000000000fd04004203e4b896016500012e"
        ),
        (
            VibeTunnelSnapshot(columns: 10, rows: [[VibeTunnelCell(background: .indexed(2))] + cells("x")]),
            "545601000a0000000100000000000000000000000000000000000000fd02009000020178"
        ),
        (
            VibeTunnelSnapshot(columns: 80, rows: [[]]),
            "5456 01 00 50000000 01000000 00000000 00000000 00000000 00000000 fe 01"
        ),
        (
            VibeTunnelSnapshot(
                columns: 80,
                rows: [cells("h", "i")] + ["1", "2", "3", "4", "5", "$"].map { cells($0) },
                cursor: (2, 6)
            ),
            """
            5456 01 00 50000000 07000000 00000000 02000000 06000000 00000000
            fd 0200 0168 0169  fd 0100 0131  fd 0100 0132  fd 0100 0133  fd 0100 0134  fd 0100 0135  fd 0100 0124
            """
        ),
    ]

    @Test(arguments: golden)
    func `snapshots are those of upstream`(_ snapshot: VibeTunnelSnapshot, _ hexadecimal: String) {
        #expect(snapshot.encoded == bytes(hexadecimal))
        #expect(VibeTunnelSnapshot(bytes(hexadecimal)) == snapshot)
    }

    /// The line of the Go server.
    @Test func `styled text is decoded and encoded to the same bytes`() throws {
        let row = """
            fd 1000  01 68  42 02 c3a9  01 6c  01 6c  01 6f  00  a1 72 00 09  a1 65 00 09  a1 64 00 09  00
            95 72 00 01 02 03  95 67 00 01 02 03  95 62 00 01 02 03  00  42 03 e4b896  42 03 e7958c
            """
        let snapshot = try #require(VibeTunnelSnapshot(bytes(Self.header + row)))
        #expect(snapshot.rows[0].map(\.text).joined() == "héllo red rgb 世界")
        #expect(snapshot.rows[0][6].foreground == .indexed(9))
        #expect(snapshot.rows[0][10].background == .rgb(1, 2, 3))
        #expect(snapshot.encoded == bytes(Self.header + row))
    }

    @Test func `a message contains a session and a snapshot`() throws {
        let hexadecimal = "bf 07000000 6e6f2d73756368 \(Self.golden[7].hexadecimal)"
        let buffer = try #require(VibeTunnelBuffer(message: bytes(hexadecimal)))
        #expect(buffer.session == "no-such")
        #expect(VibeTunnelSnapshot(buffer.snapshot) == Self.golden[7].snapshot)
        #expect(buffer.encoded == bytes(hexadecimal))
        #expect(VibeTunnelBuffer(message: bytes("bf 07000000 6e6f")) == nil)
        #expect(VibeTunnelBuffer(message: bytes("be 00000000")) == nil)
    }

    // MARK: - Screens

    private static func snapshot(_ size: String, _ text: String, isTrimmed: Bool) throws -> VibeTunnelSnapshot {
        var emulator = Emulator(size: try TerminalSize(parsing: size))
        emulator.feed(Array(text.utf8))
        return VibeTunnelSnapshot(emulator.screen(), isTrimmed: isTrimmed)
    }

    @Test func `a snapshot shows the screen of the emulator`() throws {
        let text = "\r\n\u{1B}[1;3;4:3;2;7;8;9;31mA\u{1B}[0;38;2;0;0;16;44mB\u{1B}[m e\u{301}世 x"
        let snapshot = try Self.snapshot("10x4", text, isTrimmed: true)
        let expected = [
            VibeTunnelCell(text: "A", attributes: Self.all, foreground: .indexed(1)),
            VibeTunnelCell(text: "B", foreground: .rgb(0, 0, 16), background: .indexed(4)),
        ]
        #expect(snapshot.rows == [[], expected + Self.cells(" ", "e\u{301}", "世", " ", "x")])
        #expect([snapshot.cursorColumn, snapshot.cursorRow] == [8, 1])
        #expect(snapshot.columns == 10)
        // Unlike upstream's, the encoding distinguishes dark blues from the palette.
        #expect(VibeTunnelSnapshot(snapshot.encoded) == snapshot)
    }

    @Test func `blank rows at the end are omitted only on request`() throws {
        #expect(try Self.snapshot("10x3", "x", isTrimmed: false).rows == [Self.cells("x"), [], []])
        #expect(try Self.snapshot("10x3", "x", isTrimmed: true).rows == [Self.cells("x")])
    }

    @Test(arguments: ["", " ", "x"])
    func `a snapshot has at least 32 bytes`(_ text: String) throws {
        for isTrimmed in [false, true] {
            #expect(try Self.snapshot("10x1", text, isTrimmed: isTrimmed).encoded.count >= 32)
            #expect(try Self.snapshot("10x5", text, isTrimmed: isTrimmed).encoded.count >= 32)
        }
    }

    // MARK: - Malformed snapshots

    @Test func `each part of a row is malformed`() {
        for (_, hexadecimal) in Self.golden {
            let encoded = bytes(hexadecimal)
            for length in 0..<28 { #expect(VibeTunnelSnapshot(Array(encoded.prefix(length))) == nil) }
            for length in 28..<encoded.count { _ = VibeTunnelSnapshot(Array(encoded.prefix(length))) }
        }
    }

    @Test(arguments: [
        "5456 0200 0a000000 01000000 00000000 00000000 00000000 00000000 fe01",
        "5456 0100 ffffffff 01000000 00000000 00000000 00000000 00000000 fe01",
        "5456 0100 0a000000 ffffffff 00000000 00000000 00000000 00000000 fe01",
        "5456 0100 0a000000 01000000 00000000 00000000 00000000 00000000 fc01",
        "5456 0100 0a000000 01000000 00000000 00000000 00000000 00000000 fd0100 03",
        "5456 0100 0a000000 01000000 00000000 00000000 00000000 00000000 fd0100 4209c3a9",
    ])
    func `malformed snapshots are rejected`(_ hexadecimal: String) {
        #expect(VibeTunnelSnapshot(bytes(hexadecimal)) == nil)
    }

    @Test func `rows beyond their number are ignored`() {
        #expect(VibeTunnelSnapshot(bytes(Self.header + "feff fd0100 0141"))?.rows == [[]])
    }

    @Test(arguments: 0..<50)
    func `random changes do not trap`(_ seed: Int) {
        var random = SeededGenerator(spreading: seed)
        for (_, hexadecimal) in Self.golden {
            var encoded = bytes(hexadecimal)
            for _ in 0...random.next(4) { encoded[random.next(encoded.count)] = UInt8(random.next(256)) }
            guard let snapshot = VibeTunnelSnapshot(encoded) else { continue }
            #expect(VibeTunnelSnapshot(snapshot.encoded) != nil)
        }
    }
}
