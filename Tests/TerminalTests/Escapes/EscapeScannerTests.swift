import Core
import Terminal
import TestSupport
import Testing

struct EscapeScannerTests {
    @Test func `finds every form of sequence at its position`() {
        let text = "a\u{1B}[1;31mb\u{1B}(0\u{1B}]0;title\u{07}\u{05}\u{1B}P$qm\u{1B}\\\u{1B}_Gx\u{1B}\\\u{1B}c"
        let found = Self.sequences(in: Array(text.utf8))
        #expect(
            found.map(\.kind) == [
                .controlSequence, .escape, .command, .control, .deviceControl, .otherString, .escape,
            ]
        )
        #expect(
            found.map { String(decoding: $0.body, as: UTF8.self) } == ["1;31", "(", "0;title", "", "$qm", "Gx", ""]
        )
        #expect(found[0].start == 1 && found[0].end == 8)
        #expect(found[2].start == 12 && found[2].end == 22)
    }

    @Test(arguments: ["\u{1B}[3\u{18}c", "\u{1B}]0;x\u{1A}", "\u{1B}[3\u{1B}", "\u{1B}P$q\u{1B}", "caf\u{E9}"])
    func `a canceled or incomplete sequence is not reported`(_ text: String) {
        #expect(Self.sequences(in: Array(text.utf8)).isEmpty)
    }

    @Test func `a string ends where another sequence starts`() {
        let found = Self.sequences(in: Array("\u{1B}]0;x\u{1B}[5n".utf8))
        #expect(found.map(\.kind) == [.controlSequence])
        #expect(found.first?.start == 5)
    }

    @Test func `reports a control character inside a sequence before the sequence`() {
        let found = Self.sequences(in: Array("\u{1B}[5\u{07}n".utf8))
        #expect(found.map(\.final) == [0x07, UInt8(ascii: "n")])
        #expect(found.last?.body == [UInt8(ascii: "5")])
    }

    @Test func `a doubled ESC does not end a passthrough string of tmux`() {
        let found = Self.sequences(in: Array("\u{1B}Ptmux;\u{1B}\u{1B}[6n\u{1B}\\\u{1B}[5n".utf8))
        #expect(found.map(\.kind) == [.deviceControl, .controlSequence])
        #expect(found.first?.body == Array("tmux;\u{1B}[6n".utf8))
    }

    @Test(arguments: 0..<20)
    func `sequences end where they end in the emulator`(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        // The emulator also drops sequences that contain bytes from 0x80 up.
        let bytes = EscapeSample.bytes(2_000, using: &random).filter { $0 < 0x80 }
        var scanner = EscapeScanner()
        var emulator = Emulator(size: try #require(TerminalSize(columns: 80, rows: 24)))
        for (index, byte) in bytes.enumerated() {
            scanner.scan([byte]) { _ in }
            emulator.feed([byte])
            #expect(scanner.isBetweenSequences == emulator.isBetweenSequences, "after \(bytes[...index].suffix(20))")
        }
    }

    @Test func `truncates a long body`() throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: EscapeScanner.bodyLimitBytes + 1)
        let found = try #require(Self.sequences(in: Array("\u{1B}]".utf8) + long + [0x07]).first)
        #expect(found.isCut && found.body.count == EscapeScanner.bodyLimitBytes)
    }

    @Test(arguments: 0..<60)
    func `the result does not depend on how bytes are split`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let bytes = EscapeSample.bytes(2_000, using: &random)
        let whole = Self.sequences(in: bytes)
        #expect(Self.sequences(in: bytes, cutAt: { _ in 1 }) == whole)
        #expect(
            Self.sequences(in: bytes, cutAt: { rest in Int.random(in: 1...min(rest, 40), using: &random) }) == whole
        )
    }

    private static func sequences(in bytes: [UInt8], cutAt length: (Int) -> Int = { $0 }) -> [EscapeSequence] {
        var scanner = EscapeScanner()
        var found: [EscapeSequence] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(length(rest.count))
            scanner.scan(part) { found.append($0) }
            rest = rest.dropFirst(part.count)
        }
        #expect(scanner.position == UInt64(bytes.count))
        return found
    }
}
