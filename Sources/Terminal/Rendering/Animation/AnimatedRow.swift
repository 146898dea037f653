/// Renders a screen row for an animation, with its baseline at 0 and a cell width of ten units.
///
/// Text is positioned in parts, separated by two or more spaces, a change of look, or a character that may come from a
/// font of a different width. A long part specifies its width, for viewers whose font has a different advance width.
/// Backgrounds, lines and boxes are paths; those with the same look are merged.
struct AnimatedRow {
    private let theme: Theme
    private let isReversed: Bool
    /// The color of elements without a fill.
    private let usual: Theme.RGB
    private var looks: LookNames
    private var paths: [(layer: AnimatedElement.Layer, look: Int, data: String)] = []
    private var texts: [AnimatedElement] = []

    static let width = 10
    static let height = 20
    /// The distance of the baseline from the top of the row.
    static let baseline = 15
    /// A part with more cells than this specifies its width.
    private static let minimumCharactersWithWidth = 16

    private init(_ theme: Theme, _ isReversed: Bool, _ usual: Theme.RGB, _ looks: LookNames) {
        self.theme = theme
        self.usual = usual
        self.isReversed = isReversed
        self.looks = looks
    }

    /// Returns the elements of the row; empty for a blank one.
    static func elements(
        _ row: ScreenRow,
        _ isReversed: Bool,
        _ theme: Theme,
        usual: Theme.RGB,
        _ looks: inout LookNames
    ) -> [AnimatedElement] {
        var writer = AnimatedRow(theme, isReversed, usual, looks)
        // The looks are moved out and back, so that they have a single owner and are not copied.
        looks = LookNames()
        var column = 0
        var start = 0
        while start < row.cells.count {
            let first = row.cells[start]
            var end = start + 1
            while end < row.cells.count, row.cells[end].style == first.style, row.cells[end].link == first.link {
                end += 1
            }
            let cells = row.cells[start..<end]
            writer.run(cells, column)
            column += cells.reduce(0) { $0 + $1.width }
            start = end
        }
        looks = writer.looks
        let paths = writer.paths.map {
            AnimatedElement(layer: $0.layer, start: "path d=\"\($0.data)\"", look: $0.look, content: nil)
        }
        return paths + writer.texts
    }

    // MARK: - Runs of one style

    private mutating func run(_ cells: ArraySlice<ScreenCell>, _ column: Int) {
        guard let first = cells.first else { return }
        let style = first.style
        let colors = theme.colors(of: style, isReversed: isReversed)
        let width = cells.reduce(0) { $0 + $1.width }
        let (left, length) = (column * Self.width, width * Self.width)
        if let back = colors.background {
            add("M\(left)-5h\(length)", "stroke:\(back.shortText)", .background)
        }
        decorate(style, colors, left, length)
        guard !style.attributes.contains(.concealed) else { return }
        let count = texts.count
        write(cells, column, colors.text)
        guard let target = Markup.target(first.link) else { return }
        if style.underline == .none { decorate(style.linked, colors, left, length) }
        for index in count..<texts.count { texts[index].target = target }
    }

    /// Appends data to the path with this look and layer.
    private mutating func add(_ data: String, _ declarations: String, _ layer: AnimatedElement.Layer) {
        let look = looks.number(for: declarations)
        if let index = paths.firstIndex(where: { $0.look == look && $0.layer == layer }) {
            paths[index].data += data
        } else {
            paths.append((layer, look, data))
        }
    }

    private mutating func decorate(
        _ style: Style,
        _ colors: (text: Theme.RGB, background: Theme.RGB?, underline: Theme.RGB),
        _ left: Int,
        _ length: Int
    ) {
        let thin = "fill:none;stroke-width:1.2;shape-rendering:auto;stroke:"
        let under = thin + colors.underline.shortText
        func straight(_ y: String) -> String { "M\(left) \(y)h\(length)" }
        switch style.underline {
        case .none: break
        case .single: add(straight("2.5"), under, .line)
        case .double: add(straight("1.5") + straight("4"), under, .line)
        case .dotted: add(straight("2.5"), under + ";stroke-dasharray:1.7 1.6", .line)
        case .dashed: add(straight("2.5"), under + ";stroke-dasharray:5 2.5", .line)
        case .curly:
            let wave = String(repeating: "q1.25-2.4 2.5 0t2.5 0", count: length / 5)
            add("M\(left) 2.5\(wave)", under, .line)
        }
        let over = thin + colors.text.shortText
        if style.attributes.contains(.struck) { add(straight("-5"), over, .line) }
        if style.attributes.contains(.overlined) { add(straight("-14.5"), over, .line) }
    }

    // MARK: - Characters

    private mutating func write(_ cells: ArraySlice<ScreenCell>, _ start: Int, _ color: Theme.RGB) {
        var look = color == usual ? "" : "fill:\(color.shortText)"
        let shapeLook = look.isEmpty ? "fill:\(color.shortText)" : look
        let attributes = cells.first?.style.attributes ?? []
        if attributes.contains(.bold) { look += ";font-weight:bold" }
        if attributes.contains(.italic) { look += ";font-style:italic" }
        let name = look.isEmpty ? nil : looks.number(for: look.hasPrefix(";") ? String(look.dropFirst()) : look)
        var part = Part(column: start)
        var column = start
        var index = cells.startIndex
        while index < cells.endIndex {
            let cell = cells[index]
            if let shape = Self.shape(cells[index...], column * Self.width) {
                end(&part, name)
                let smooth = BoxDrawing.isCurved(cell.text) ? ";shape-rendering:auto" : ""
                add(shape.data, shapeLook + smooth, .shape)
                column += shape.cells
                index += shape.cells
                part = Part(column: column)
                continue
            }
            let isApart = cell.width == 2 || (cell.text.unicodeScalars.first.map { $0.value >= 0x900 } ?? false)
            if isApart || (cell.shown == " " && part.endsInSpace) || (cell.shown == " " && part.text.isEmpty) {
                end(&part, name)
                if isApart {
                    part = Part(column: column)
                    part.add(cell)
                    end(&part, name)
                }
                part = Part(column: column + cell.width)
            } else {
                part.add(cell)
            }
            column += cell.width
            index += 1
        }
        end(&part, name)
    }

    /// Characters that are positioned together.
    private struct Part {
        var column: Int
        var text = ""
        var cells = 0

        var endsInSpace: Bool { text.utf8.last == 0x20 }

        mutating func add(_ cell: ScreenCell) {
            text += cell.shown
            cells += cell.width
        }
    }

    private mutating func end(_ part: inout Part, _ look: Int?) {
        while part.endsInSpace {
            part.text.removeLast()
            part.cells -= 1
        }
        guard !part.text.isEmpty else { return }
        var start = part.column == 0 ? "text" : "text x=\"\(part.column * Self.width)\""
        if part.cells > Self.minimumCharactersWithWidth { start += " textLength=\"\(part.cells * Self.width)\"" }
        texts.append(AnimatedElement(layer: .text, start: start, look: look, content: Markup.escaped(part.text)))
        part.text = ""
    }
}
