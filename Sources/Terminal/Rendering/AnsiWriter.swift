/// Writes screen rows as text with control sequences.
struct AnsiWriter {
    private(set) var text = ""
    private var style = Style.plain
    private var link: Link?

    mutating func write(_ other: String) {
        text += other
    }

    mutating func control(_ sequence: String) {
        text += "\u{1B}[" + sequence
    }

    /// Writes the text of cells, and empty cells according to `gap`.
    ///
    /// - Returns: The column after the last one written.
    mutating func cells(_ cells: some Collection<ScreenCell>, gap: Gap) -> Int {
        var column = 0
        var end = 0
        var empty: (width: Int, style: Style)?
        for cell in cells {
            column += cell.width
            if cell.text.isEmpty, gap == .skipped {
                if let open = empty, open.style != cell.style { fill(open) }
                empty = (empty.map { $0.style == cell.style ? $0.width : 0 } ?? 0, cell.style)
                empty?.width += cell.width
                continue
            }
            if let open = empty { fill(open) }
            empty = nil
            select(cell.style, cell.link)
            write(cell)
            end = column
        }
        if let open = empty, open.style != .plain { fill(open) }
        return end
    }

    /// How to handle empty cells.
    enum Gap {
        /// Write them as spaces.
        case spaces
        /// Move over them, erasing those that have a style.
        case skipped
    }

    private mutating func fill(_ gap: (width: Int, style: Style)) {
        if gap.style != .plain {
            select(gap.style, nil)
            control("\(gap.width)X")
        }
        control("\(gap.width)C")
    }

    /// Writes a character so that it does not join the previous one and has its proper width.
    mutating func write(_ cell: ScreenCell) {
        let scalars = cell.shown.unicodeScalars
        guard let first = scalars.first, first.value >= 0x80 || scalars.count > 1 else {
            text += cell.shown
            return
        }
        let traits = ScalarTraits(first.value)
        if traits.kind != .other { control("\(GraphicText.parameters(style))m") }
        if cell.width == 1, traits.canBecomeEmoji, scalars.count > 1 {
            text.unicodeScalars.append(first)
            control("\(GraphicText.parameters(style))m")
            text.unicodeScalars.append(contentsOf: scalars.dropFirst())
        } else {
            text += cell.shown
        }
        // A sequence keeps the next character from joining this one.
        if let last = scalars.last, ScalarTraits(last.value).kind == .prepended {
            control("\(GraphicText.parameters(style))m")
        }
    }

    /// Selects the style of the following text.
    mutating func select(_ new: Style, _ newLink: Link?) {
        if new != style {
            control(new == .plain ? "m" : "\(GraphicText.parameters(new))m")
            if new.attributes.contains(.protected) != style.attributes.contains(.protected) {
                control("\(new.attributes.contains(.protected) ? 1 : 0)\"q")
            }
            style = new
        }
        if newLink != link {
            let id = newLink.map { $0.id.isEmpty ? "" : "id=\($0.id)" } ?? ""
            text += "\u{1B}]8;\(id);\(newLink?.target ?? "")\u{1B}\\"
            link = newLink
        }
    }

    /// Resets the terminal's style, because it may differ from the last style written.
    mutating func forgetStyle() {
        select(.plain, nil)
        control("m")
    }
}
