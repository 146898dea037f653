import Core
import Services
import Terminal

/// Something that `vt sessions send` sends.
enum SendItem: Sendable {
    case text([UInt8])
    /// The contents of a file; nil for standard input.
    case file(String?)
    case key(Key)
    case enter
    case click(ClickTarget, MouseButton)

    /// Whether the bytes depend on what the program shows, or on the modes that it has set.
    var needsScreen: Bool {
        switch self {
        case .key, .click: true
        case .text, .file, .enter: false
        }
    }
}

extension [SendItem] {
    /// The input for a terminal, whose emulator may be nil if no item needs it.
    ///
    /// With `isPaste`, texts are pasted, adjacent ones as one: with CR as the line end, as terminals do, and in brackets if
    /// the program has asked for them. Files must have been read before.
    func bytes(isPaste: Bool, on emulator: Emulator?) throws(VTError) -> [UInt8] {
        let screen = contains { if case .click = $0 { true } else { false } } ? emulator?.screen() : nil
        let isBracketed = isPaste ? emulator?.modes[.bracketedPaste] : nil
        func encoded(_ text: [UInt8]) -> [UInt8] {
            isBracketed.map { PasteEncoder.bytes(of: text, isBracketed: $0) } ?? text
        }
        var bytes: [UInt8] = []
        var text: [UInt8]?
        for item in self {
            if case .text(let next) = item {
                text = (text ?? []) + next
                continue
            }
            bytes += text.map(encoded) ?? []
            text = nil
            switch item {
            case .text, .file: break
            case .enter: bytes.append(UInt8(ascii: "\r"))
            case .key(let key):
                if let emulator { bytes += try KeyEncoder(emulator).bytes(of: key) }
            case .click(let target, let button):
                guard let emulator, let screen else { break }
                let cell = try target.cell(on: screen)
                bytes += try MouseEncoder(emulator).click(button, column: cell.column, row: cell.row)
            }
        }
        return bytes + (text.map(encoded) ?? [])
    }
}
