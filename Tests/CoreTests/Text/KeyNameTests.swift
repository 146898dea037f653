import Core
import Testing

@Suite struct KeyNameTests {
    @Test(
        arguments: [
            ("C-c", "\u{3}"), ("^c", "\u{3}"), ("C-@", "\0"), ("C-[", "\u{1b}"), ("C-?", "\u{7f}"), ("C-Space", "\0"),
            ("M-x", "\u{1b}x"), ("M-C-h", "\u{1b}\u{8}"), ("x", "x"), ("é", "é"), ("-", "-"), ("C--", nil),
            ("Enter", "\r"), ("enter", "\r"), ("Tab", "\t"), ("S-Tab", "\u{1b}[Z"), ("BTab", "\u{1b}[Z"),
            ("Escape", "\u{1b}"), ("BSpace", "\u{7f}"), ("Space", " "),
            ("Up", "\u{1b}[A"), ("Left", "\u{1b}[D"), ("C-Right", "\u{1b}[1;5C"), ("S-M-Home", "\u{1b}[1;4H"),
            ("F1", "\u{1b}OP"), ("S-F1", "\u{1b}[1;2P"), ("F5", "\u{1b}[15~"), ("F12", "\u{1b}[24~"),
            ("PageUp", "\u{1b}[5~"), ("C-PgDn", "\u{1b}[6;5~"), ("Delete", "\u{1b}[3~"),
            ("Return", "\r"), ("Del", "\u{1b}[3~"), ("KP_0", "0"), ("KP_9", "9"), ("KP_Enter", "\r"), ("KP_Add", "+"),
            ("KP_x", nil), ("Ctrl-C", "\u{3}"), ("ctrl+c", "\u{3}"), ("Control-c", "\u{3}"), ("Alt-x", "\u{1b}x"),
            ("Shift-Tab", "\u{1b}[Z"), ("Ctrl-Alt-h", "\u{1b}\u{8}"), ("Ctrl-", nil), ("Ctrl-Right", "\u{1b}[1;5C"),
            ("", nil), ("Hyper", nil), ("C-é", nil), ("F99", nil), ("S-x", nil),
        ] as [(String, String?)]
    )
    func `returns the bytes of a named key`(name: String, expected: String?) {
        let bytes = try? KeyName.bytes(of: name)
        #expect(bytes == expected.map { Array($0.utf8) })
    }

    @Test func `an unknown key is a usage error`() {
        let error = #expect(throws: VTError.self) { try KeyName.bytes(of: "Hyper") }
        #expect(error?.code == .usage)
    }
}
