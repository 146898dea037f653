import Core
import Terminal
import Testing

struct ClickTargetTests {
    private let screen: Screen

    init() throws {
        screen = try Emulator("10x5", "漢字 <OK>\r\nno no\r\n0123456789wrap\r\n a\u{301} 1,2").screen()
    }

    @Test(arguments: [
        ("3,2", 3, 2), ("9,4", 9, 4), ("<OK>", 5, 0), ("字 <", 2, 0), ("漢", 0, 0), ("89wr", 8, 2), (" 1,2", 2, 4),
        ("á", 1, 4),
    ])
    func `finds a cell`(_ word: String, _ column: Int, _ row: Int) throws {
        let cell = try ClickTarget(parsing: word).cell(on: screen)
        #expect(cell == (column, row))
    }

    @Test(arguments: [
        ("no", "'no' is on the screen 2 times, at 0,1 3,1"), ("ok", "'ok' is not on the screen"),
        ("10,0", "10,0 is outside the screen"), ("0,5", "0,5 is outside the screen"),
    ])
    func `anything but one cell is an error`(_ word: String, _ message: String) throws {
        let target = try ClickTarget(parsing: word)
        let error = #expect(throws: VTError.self) { try target.cell(on: screen) }
        #expect(error?.code == .negative)
        #expect(error?.message == message)
    }

    @Test func `a text is not empty`() {
        let error = #expect(throws: VTError.self) { try ClickTarget(parsing: "") }
        #expect(error?.code == .usage)
    }
}
