import Core
import System

/// The unfinished input line of a terminal in canonical mode, with its editing characters applied.
struct InputLine {
    private var bytes: [UInt8] = []
    private var takesNext = false

    /// Processes input as the terminal does; returns false if a line becomes longer than a terminal accepts.
    mutating func add(_ input: some Sequence<UInt8>, _ editing: LineEditing) -> Bool {
        var fits = true
        for byte in input {
            let action = takesNext ? nil : editing.action(of: byte)
            takesNext = false
            switch action {
            case nil:
                // Bytes that the terminal drops are not part of the line, so they cannot be erased either.
                if bytes.count < TerminalControl.canonicalLineLimitBytes { bytes.append(byte) } else { fits = false }
            case .end, .drop: bytes.removeAll(keepingCapacity: true)
            case .eraseCharacter: eraseCharacter(editing)
            case .eraseWord: eraseWord(editing)
            case .takeNext: takesNext = true
            case .ignore: break
            }
        }
        return fits
    }

    /// Clears the line when the terminal leaves canonical mode.
    mutating func removeAll() {
        bytes = []
        takesNext = false
    }

    private mutating func eraseCharacter(_ editing: LineEditing) {
        while let byte = bytes.popLast(), editing.hasWideCharacters, byte & 0xC0 == 0x80 {}
    }

    /// Erases the last word and all characters after it; as in n_tty, a word consists of letters, digits, underscores
    /// and non-ASCII bytes.
    private mutating func eraseWord(_ editing: LineEditing) {
        var hasSeenWord = false
        while let last = bytes.last {
            let isWord = last >= 0x80 || last == UInt8(ascii: "_") || Self.isAlphanumeric(last)
            if !isWord, hasSeenWord { return }
            hasSeenWord = hasSeenWord || isWord
            eraseCharacter(editing)
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
