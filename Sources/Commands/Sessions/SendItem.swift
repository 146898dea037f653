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

extension SessionInput {
    /// Encodes items for a screen, which may be nil if no item needs it; `isPaste` means that texts are pasted.
    ///
    /// Adjacent texts are one part.
    init(_ items: [SendItem], isPaste: Bool, on emulator: Emulator?) throws(VTError) {
        let screen = items.contains { if case .click = $0 { true } else { false } } ? emulator?.screen() : nil
        var parts: [Part] = []
        for item in items {
            switch item {
            case .text(let text):
                if case .text(let previous)? = parts.last {
                    parts[parts.count - 1] = .text(previous + text)
                } else {
                    parts.append(.text(text))
                }
            // Files are read before.
            case .file: break
            case .enter: parts.append(.enter)
            case .key(let key):
                if let emulator { parts.append(.key(try KeyEncoder(emulator).bytes(of: key))) }
            case .click(let target, let button):
                guard let emulator, let screen else { break }
                let cell = try target.cell(on: screen)
                parts.append(.key(try MouseEncoder(emulator).click(button, column: cell.column, row: cell.row)))
            }
        }
        self.init(parts, isBracketed: isPaste ? emulator?.modes[.bracketedPaste] : nil)
    }
}
