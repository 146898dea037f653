import Terminal

/// A terminal state in the format of vt100-rust's fixtures; omitted members have their defaults.
struct VT100State: Codable, Equatable {
    struct Cell: Codable, Equatable {
        var contents = ""
        var is_wide: Bool?
        var is_wide_continuation: Bool?
        var fgcolor: String?
        var bgcolor: String?
        var bold: Bool?
        var dim: Bool?
        var italic: Bool?
        var underline: Bool?
        var inverse: Bool?
    }

    var contents: String
    var cells: [String: Cell]
    var cursor_position: [Int]
    var application_keypad: Bool?
    var application_cursor: Bool?
    var hide_cursor: Bool?
    var bracketed_paste: Bool?
    var mouse_protocol_mode: String?
    var mouse_protocol_encoding: String?

    /// The names and values that differ.
    func differences(from other: VT100State, at step: String) -> [String] {
        var result: [String] = []
        if contents != other.contents {
            result.append("contents: \(contents.debugDescription), not \(other.contents.debugDescription)")
        }
        for key in Set(cells.keys).union(other.cells.keys).sorted() where cells[key] != other.cells[key] {
            result.append("\(key): \(String(describing: cells[key])), not \(String(describing: other.cells[key]))")
        }
        if cursor_position != other.cursor_position {
            result.append("cursor: \(cursor_position), not \(other.cursor_position)")
        }
        var mine = self
        (mine.contents, mine.cells, mine.cursor_position) = (other.contents, other.cells, other.cursor_position)
        if mine != other { result.append("modes: \(mine), not \(other)") }
        return result.isEmpty ? [] : [step] + result.prefix(6)
    }

    /// The text, including spaces written at the ends of rows.
    private static func contents(_ screen: Screen) -> String {
        var text = ""
        for row in screen.rows {
            let written = row.cells.lastIndex { !$0.text.isEmpty }.map { $0 + 1 } ?? 0
            for cell in row.cells.prefix(written) { text += cell.shown }
            if !row.isWrapped { text += "\n" }
        }
        while text.last == "\n" { text.removeLast() }
        return text
    }

    init(_ emulator: Emulator) {
        let screen = emulator.screen()
        contents = Self.contents(screen)
        cells = [:]
        for (y, row) in screen.rows.enumerated() {
            var x = 0
            for cell in row.cells {
                let state = Cell(cell)
                if state != Cell() { cells["\(y),\(x)"] = state }
                if cell.width == 2 { cells["\(y),\(x + 1)"] = Cell(cell, continuing: true) }
                x += cell.width
            }
        }
        // In vt100-rust, the cursor is after the last column while a wrap is pending.
        cursor_position = [screen.cursor.row, screen.cursor.column + (screen.cursor.isWrapPending ? 1 : 0)]
        application_keypad = emulator.keypadIsApplication ? true : nil
        application_cursor = screen.modes[.applicationCursor] ? true : nil
        hide_cursor = screen.isCursorVisible ? nil : true
        bracketed_paste = screen.modes[.bracketedPaste] ? true : nil
        let mouse: [(Mode, String)] = [
            (.mouseX10, "press"), (.mouseButtons, "press_release"), (.mouseDrag, "button_motion"),
            (.mouseMotion, "any_motion"),
        ]
        mouse_protocol_mode = mouse.first { screen.modes[$0.0] }?.1
        mouse_protocol_encoding = screen.modes[.mouseSGR] ? "sgr" : screen.modes[.mouseUTF8] ? "utf8" : nil
    }
}

extension VT100State.Cell {
    init(_ cell: ScreenCell, continuing: Bool = false) {
        contents = continuing ? "" : cell.text
        if cell.width == 2 {
            is_wide = continuing ? nil : true
            is_wide_continuation = continuing ? true : nil
        }
        guard !continuing else { return }
        fgcolor = Self.name(cell.style.foreground)
        bgcolor = Self.name(cell.style.background)
        let attributes = cell.style.attributes
        bold = attributes.contains(.bold) ? true : nil
        dim = attributes.contains(.dim) ? true : nil
        italic = attributes.contains(.italic) ? true : nil
        underline = cell.style.underline == .none ? nil : true
        inverse = attributes.contains(.inverse) ? true : nil
    }

    private static func name(_ color: Color) -> String? {
        switch color.kind {
        case .standard: nil
        case .indexed(let index): String(index)
        case .rgb(let red, let green, let blue):
            "#" + [red, green, blue].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
    }
}
