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
    case click(ClickTarget, MouseButton, count: Int)
    case drag(ClickTarget, to: ClickTarget, MouseButton)
    case hover(ClickTarget)
    /// Steps of the wheel; without a place, in the middle of the screen.
    case scroll(MouseButton, count: Int, ClickTarget?)

    /// Whether the bytes depend on what the program shows, or on the modes that it has set.
    var needsScreen: Bool {
        switch self {
        case .key, .click, .drag, .hover, .scroll: true
        case .text, .file, .enter: false
        }
    }

    /// Whether the item names a place on the screen.
    fileprivate var hasPlace: Bool {
        switch self {
        case .click, .drag, .hover, .scroll: true
        case .key, .text, .file, .enter: false
        }
    }

    /// The input of a mouse.
    fileprivate func mouseInput(_ mouse: MouseEncoder, on screen: Screen) throws(VTError) -> [UInt8] {
        switch self {
        case .click(let target, let button, let count):
            let bytes = try mouse.click(button, at: try target.cell(on: screen))
            return Array(repeatElement(bytes, count: count).joined())
        case .drag(let start, let end, let button):
            return try mouse.drag(button, from: try start.cell(on: screen), to: try end.cell(on: screen))
        case .hover(let target): return try mouse.hover(at: try target.cell(on: screen))
        case .scroll(let wheel, let count, let target):
            let middle = (column: screen.size.columns / 2, row: screen.size.rows / 2)
            let bytes = try mouse.click(wheel, at: try target?.cell(on: screen) ?? middle)
            return Array(repeatElement(bytes, count: count).joined())
        case .text, .file, .key, .enter: return []
        }
    }
}

extension [SendItem] {
    /// The input for a terminal, whose emulator may be nil if no item needs it.
    ///
    /// With `isPaste`, texts are pasted, adjacent ones as one: with CR as the line end, as terminals do, and in brackets if
    /// the program has asked for them. Files must have been read before.
    func bytes(isPaste: Bool, on emulator: Emulator?) throws(VTError) -> [UInt8] {
        let screen = contains(where: \.hasPlace) ? emulator?.screen() : nil
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
            case .click, .drag, .hover, .scroll:
                if let emulator, let screen { bytes += try item.mouseInput(MouseEncoder(emulator), on: screen) }
            }
        }
        return bytes + (text.map(encoded) ?? [])
    }
}
