import Core
import Terminal
import TestSupport
import Testing

@testable import Commands

@Suite struct SendItemTests {
    private func text(_ items: [SendItem], isPaste: Bool = false) throws -> String {
        var emulator = Emulator(size: .standard)
        emulator.feed(Array("\u{1b}[?2004h".utf8))
        return String(decoding: try items.bytes(isPaste: isPaste, on: emulator), as: UTF8.self)
    }

    @Test func `items are sent in order`() throws {
        let items: [SendItem] = [
            .key(try Key(parsing: "C-a")), .text(Array("l".utf8)), .text(Array("s".utf8)), .enter,
            .key(try Key(parsing: "C-b")),
        ]
        #expect(try text(items) == "\u{1}ls\r\u{2}")
    }

    @Test(arguments: [
        ("a\nb", "a\rb"), ("x\u{1b}[201~y", "xy"), ("\u{1b}[20\u{1b}[201~1~z", "z"), ("", ""),
        ("\u{1b}[200~", "\u{1b}[200~"),
    ])
    func `pasted text cannot end the bracketed paste`(pasted: String, expected: String) throws {
        let items: [SendItem] = [.text(Array(pasted.utf8)), .key(try Key(parsing: "C-c"))]
        #expect(try text(items, isPaste: true) == "\u{1b}[200~\(expected)\u{1b}[201~\u{3}")
    }
}
