import Core
import Terminal
import Testing

struct MouseEncoderTests {
    private func click(_ modes: String, _ button: MouseButton, _ column: Int, _ row: Int) throws -> String {
        try input(modes) { mouse throws(VTError) in try mouse.click(button, at: (column, row)) }
    }

    private func input(
        _ modes: String,
        _ input: (MouseEncoder) throws(VTError) -> [UInt8]
    ) throws -> String {
        let bytes = try input(MouseEncoder(try Emulator("20x2", modes.replacing("ESC", with: "\u{1B}"))))
        return String(bytes.map { Character(UnicodeScalar($0)) }).replacing("\u{1B}", with: "ESC")
    }

    @Test(arguments: [
        ("ESC[?1000h", "ESC[M !!ESC[M##!"), ("ESC[?1002h", "ESC[M !!ESC[M@\"!ESC[M@#!ESC[M##!"),
        ("ESC[?1003hESC[?1006h", "ESC[<0;1;1MESC[<32;2;1MESC[<32;3;1MESC[<0;3;1m"),
    ])
    func `a drag is a press, movements if the program receives them, and a release`(
        _ modes: String,
        _ expected: String
    ) throws {
        let bytes = try input(modes) { mouse throws(VTError) in try mouse.drag(.left, from: (0, 0), to: (2, 0)) }
        #expect(bytes == expected)
    }

    @Test func `a movement needs mode 1003`() throws {
        let hover = { (mouse: MouseEncoder) throws(VTError) in try mouse.hover(at: (4, 1)) }
        #expect(try input("ESC[?1003hESC[?1006h", hover) == "ESC[<35;5;2M")
        #expect(try input("ESC[?1003h", hover) == "ESC[MC%\"")
        #expect(throws: VTError.self) { try input("ESC[?1002h", hover) }
        #expect(throws: VTError.self) {
            try input("ESC[?9h") { mouse throws(VTError) in try mouse.drag(.left, from: (0, 0), to: (1, 1)) }
        }
        #expect(throws: VTError.self) {
            try input("ESC[?1000h") { mouse throws(VTError) in try mouse.drag(.wheelUp, from: (0, 0), to: (1, 1)) }
        }
    }

    @Test(arguments: [
        ("ESC[?9h", MouseButton.left, "ESC[M %\""), ("ESC[?1000h", .left, "ESC[M %\"ESC[M#%\""),
        ("ESC[?1002h", .middle, "ESC[M!%\"ESC[M#%\""), ("ESC[?1003h", .right, "ESC[M\"%\"ESC[M#%\""),
        ("ESC[?1000h", .wheelUp, "ESC[M`%\""), ("ESC[?1000h", .wheelDown, "ESC[Ma%\""),
        ("ESC[?1000hESC[?1006h", .left, "ESC[<0;5;2MESC[<0;5;2m"),
        ("ESC[?1000hESC[?1006h", .right, "ESC[<2;5;2MESC[<2;5;2m"),
        ("ESC[?1000hESC[?1006h", .wheelDown, "ESC[<65;5;2M"), ("ESC[?9hESC[?1006h", .left, "ESC[<0;5;2M"),
        ("ESC[?1000hESC[?1015h", .left, "ESC[32;5;2MESC[35;5;2M"),
        ("ESC[?1000hESC[?1016h", .left, "ESC[<0;37;25MESC[<0;37;25m"),
        ("ESC[?1000hESC[?1005h", .left, "ESC[M %\"ESC[M#%\""),
    ])
    func `a click follows the mode and the encoding`(_ modes: String, _ button: MouseButton, _ bytes: String) throws {
        #expect(try click(modes, button, 4, 1) == bytes)
    }

    @Test func `large columns are reported if the encoding can`() throws {
        #expect(try click("ESC[?9h", .left, 222, 0) == "ESC[M \u{FF}!")
        #expect(try click("ESC[?9hESC[?1005h", .left, 299, 0) == "ESC[M \u{C5}\u{8C}!")
        #expect(try click("ESC[?9hESC[?1006h", .left, 2999, 0) == "ESC[<0;3000;1M")
        #expect(throws: VTError.self) { try click("ESC[?9h", .left, 223, 0) }
        #expect(throws: VTError.self) { try click("ESC[?9hESC[?1005h", .left, 0, 2015) }
    }

    @Test(arguments: ["", "ESC[?1000hESC[?1000l", "ESC[?1006h"])
    func `a click is an error unless the program has enabled mouse reporting`(modes: String) {
        let error = #expect(throws: VTError.self) { try click(modes, .left, 0, 0) }
        #expect(error?.code == .negative)
        #expect(error?.message == "the program has not enabled mouse reporting")
    }

    @Test func `X10 mode does not report the wheel`() {
        let error = #expect(throws: VTError.self) { try click("ESC[?9h", .wheelUp, 0, 0) }
        #expect(error?.code == .negative)
    }
}
