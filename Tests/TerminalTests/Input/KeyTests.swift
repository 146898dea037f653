import Core
import Terminal
import Testing

struct KeyTests {
    /// What a key sends to a program that has not set any modes.
    private func bytes(_ name: String) throws -> String {
        String(decoding: try KeyEncoder(Emulator("20x2", "")).bytes(of: Key(parsing: name)), as: UTF8.self)
    }

    @Test(
        arguments: [
            ("C-c", "\u{3}"), ("^c", "\u{3}"), ("C-@", "\0"), ("C-[", "\u{1b}"), ("C-?", "\u{7f}"), ("C-Space", "\0"),
            ("M-x", "\u{1b}x"), ("M-C-h", "\u{1b}\u{8}"), ("x", "x"), ("é", "é"), ("-", "-"), ("C--", "-"),
            ("C-/", "\u{1f}"), ("C-2", "\0"), ("C-3", "\u{1b}"), ("C-8", "\u{7f}"), ("C-1", "1"), ("C-;", ";"),
            ("C-é", "é"), ("C-C", "\u{3}"), ("A", "A"), ("S-a", "A"), ("S-A", "A"), ("É", "É"), ("M-A", "\u{1b}A"),
            ("Enter", "\r"), ("enter", "\r"), ("C-Enter", "\r"), ("S-Enter", "\r"), ("M-Enter", "\u{1b}\r"),
            ("Tab", "\t"), ("C-Tab", "\t"), ("S-Tab", "\u{1b}[Z"), ("BTab", "\u{1b}[Z"), ("M-BTab", "\u{1b}\u{1b}[Z"),
            ("Escape", "\u{1b}"), ("BSpace", "\u{7f}"), ("C-BSpace", "\u{8}"), ("M-BSpace", "\u{1b}\u{7f}"),
            ("Space", " "), ("S-Space", " "), ("M-Space", "\u{1b} "),
            ("Up", "\u{1b}[A"), ("Left", "\u{1b}[D"), ("C-Right", "\u{1b}[1;5C"), ("S-M-Home", "\u{1b}[1;4H"),
            ("F1", "\u{1b}OP"), ("S-F1", "\u{1b}[1;2P"), ("F5", "\u{1b}[15~"), ("F12", "\u{1b}[24~"),
            ("F13", "\u{1b}[1;2P"), ("F24", "\u{1b}[24;2~"), ("F25", "\u{1b}[1;5P"), ("F35", "\u{1b}[23;5~"),
            ("C-F13", "\u{1b}[1;6P"),
            ("PageUp", "\u{1b}[5~"), ("C-PgDn", "\u{1b}[6;5~"), ("Delete", "\u{1b}[3~"), ("C-S-M-End", "\u{1b}[1;8F"),
            ("Return", "\r"), ("Del", "\u{1b}[3~"), ("KP_0", "0"), ("KP_9", "9"), ("KP_Enter", "\r"), ("KP_Add", "+"),
            ("kp_separator", ","), ("KP_Begin", "\u{1b}[E"), ("KP_Home", "\u{1b}[H"), ("C-KP_Delete", "\u{1b}[3;5~"),
            ("Ctrl-C", "\u{3}"), ("ctrl+c", "\u{3}"), ("Control-c", "\u{3}"), ("Alt-x", "\u{1b}x"),
            ("Shift-Tab", "\u{1b}[Z"), ("Ctrl-Alt-h", "\u{1b}\u{8}"), ("Ctrl-Right", "\u{1b}[1;5C"),
        ]
    )
    func `a key has the bytes that xterm sends`(name: String, expected: String) throws {
        #expect(try bytes(name) == expected)
    }

    @Test(
        arguments: [
            ("PageUpp", "did you mean 'PageUp'?"), ("C-pagedwn", "did you mean 'C-PageDown'?"),
            ("Entr", "did you mean 'Enter'?"), ("F99", "did you mean 'F9'?"),
            ("Ctrl+KP_Ad", "did you mean 'Ctrl+KP_Add'?"),
            ("S-1", "write the character that the key types with Shift, such as '!'"),
        ]
            + ["", "Hyper", "Ctrl-", "nothing", "C-"].map {
                ($0, "use a name such as C-c, M-x, Up, F5, Enter, Tab, Escape, BSpace, PageUp or KP_0")
            }
    )
    func `an unknown key is an error that suggests a name`(name: String, hint: String) {
        let error = #expect(throws: VTError.self) { try Key(parsing: name) }
        #expect(error?.code == .usage)
        #expect(error?.message == "unknown key '\(name)'")
        #expect(error?.hint == hint)
    }

    @Test(arguments: ["Super-x", "Hyper-F1", "C-Super-Up"])
    func `Super and Hyper require kitty's protocol`(name: String) {
        let error = #expect(throws: VTError.self) { try bytes(name) }
        #expect(error?.code == .negative)
    }

    @Test(arguments: [
        ("PageU", ["PageUp"]), ("C-pagedo", ["C-PageDown"]), ("Ctrl+KP_D", ["Decimal", "Divide", "Down", "Delete"]),
        ("F3", ["F3", "F30", "F31", "F32", "F33", "F34", "F35"]), ("X-Up", []), ("zz", []),
    ])
    func `names complete a prefix with its modifiers`(prefix: String, expected: [String]) {
        let names = Key.names(completing: prefix)
        #expect(names == expected.map { prefix.hasPrefix("Ctrl+KP_") ? "Ctrl+KP_\($0)" : $0 })
    }

    @Test func `every name is a key`() throws {
        #expect(Key.names(completing: "").count == Set(Key.names).count)
        for name in Key.names { #expect(throws: Never.self) { try Key(parsing: name) } }
    }
}
