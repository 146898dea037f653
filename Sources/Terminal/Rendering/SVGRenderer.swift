import Core

/// Renders a screen as a self-contained SVG image.
///
/// Text is positioned word by word: the advance width of the viewer's font is unknown, and librsvg supports neither
/// lists of positions beyond the first entry nor `textLength`. Boxes, blocks and underlines are drawn as paths.
package struct SVGRenderer {
    private let screen: Screen
    private let theme: Theme
    private let rows: [ScreenRow]
    private var backgrounds = ""
    private var shapes = ""
    private var lines = ""
    private var words = ""

    // Lengths are in hundredths of a pixel.
    private static let cellWidth = 840
    private static let cellHeight = 1700
    private static let baseline = 1300
    private static let padding = 1000
    private static let boxes = BoxDrawing(width: cellWidth, height: cellHeight, line: 120)

    private init(_ screen: Screen, _ theme: Theme) {
        self.screen = screen
        self.theme = theme
        rows = screen.scrollback + screen.rows
    }

    package static func render(_ screen: Screen, theme: Theme = .standard) -> String {
        var renderer = SVGRenderer(screen, theme)
        for y in renderer.rows.indices { renderer.row(y) }
        return renderer.document()
    }

    private func document() -> String {
        let width = Markup.length(screen.size.columns * Self.cellWidth + 2 * Self.padding)
        let height = Markup.length(rows.count * Self.cellHeight + 2 * Self.padding)
        let isReversed = screen.modes[.reverseVideo]
        let back = (isReversed ? theme.foreground : theme.background).text
        let front = (isReversed ? theme.background : theme.foreground).text
        let title = Markup.escaped(screen.title.isEmpty ? "vt" : screen.title)
        let plain = Markup.escaped(TextRenderer.render(screen))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img">
            <title>\(title)</title>
            <desc>\(plain)</desc>
            <rect width="100%" height="100%" rx="6" fill="\(back)"/>
            <g transform="translate(\(Markup.length(Self.padding)) \(Markup.length(Self.padding)))">
            <g shape-rendering="crispEdges">
            \(backgrounds)\(cursor())\(shapes)</g>
            \(lines)<g xml:space="preserve" fill="\(front)" font-size="14" \
            font-family="'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace">
            \(words)</g>
            </g>
            </svg>

            """
    }

    // MARK: - Rows

    private mutating func row(_ y: Int) {
        for run in rows[y].runs(apart: { $0.width == 2 || Self.isApart($0) }) {
            let colors = theme.colors(of: run.style, isReversed: screen.modes[.reverseVideo])
            let left = run.column * Self.cellWidth
            let top = y * Self.cellHeight
            let width = run.width * Self.cellWidth
            if let back = colors.background {
                backgrounds += "<rect x=\"\(Markup.length(left))\" y=\"\(Markup.length(top))\" "
                backgrounds += "width=\"\(Markup.length(width))\" height=\"\(Markup.length(Self.cellHeight))\" "
                backgrounds += "fill=\"\(back.text)\"/>\n"
            }
            decorations(run.style, colors, left, top, width)
            guard !run.style.attributes.contains(.concealed) else { continue }
            if let path = Self.boxes.path(run.text, left, top) {
                shapes += "<path d=\"\(path)\" fill=\"\(colors.text.text)\"/>\n"
            } else {
                text(run, colors.text, top + Self.baseline)
            }
        }
    }

    /// Whether a character is positioned separately, because its glyph is a path or may come from a font with a
    /// different advance width.
    private static func isApart(_ cell: ScreenCell) -> Bool {
        cell.text.unicodeScalars.first.map { $0.value >= 0x900 } ?? false
    }

    /// Writes the words of a run, each at its column.
    private mutating func text(_ run: ScreenRun, _ color: Theme.RGB, _ baseline: Int) {
        var attributes = ""
        if color != (screen.modes[.reverseVideo] ? theme.background : theme.foreground) {
            attributes += " fill=\"\(color.text)\""
        }
        if run.style.attributes.contains(.bold) { attributes += " font-weight=\"bold\"" }
        if run.style.attributes.contains(.italic) { attributes += " font-style=\"italic\"" }
        var spans = ""
        var column = run.column
        for part in run.text.split(separator: " ", omittingEmptySubsequences: false) {
            if !part.isEmpty {
                let left = Markup.length(column * Self.cellWidth)
                spans += "<tspan x=\"\(left)\">\(Markup.escaped(String(part)))</tspan>"
            }
            column += (run.isWide ? 2 : part.count) + 1
        }
        guard !spans.isEmpty else { return }
        let element = "<text y=\"\(Markup.length(baseline))\"\(attributes)>\(spans)</text>"
        if let target = Markup.target(run.link) {
            words += "<a href=\"\(target)\">\(element)</a>\n"
        } else {
            words += element + "\n"
        }
    }

    // MARK: - Lines and cursor

    private mutating func decorations(
        _ style: Style,
        _ colors: (text: Theme.RGB, background: Theme.RGB?, underline: Theme.RGB),
        _ left: Int,
        _ top: Int,
        _ width: Int
    ) {
        func stroke(_ y: Int, _ color: Theme.RGB, _ dashes: String = "") -> String {
            let dash = dashes.isEmpty ? "" : " stroke-dasharray=\"\(dashes)\""
            return "<path d=\"M\(Markup.length(left)) \(Markup.length(top + y))h\(Markup.length(width))\" "
                + "stroke=\"\(color.text)\"\(dash)/>\n"
        }
        switch style.underline {
        case .none: break
        case .single: lines += stroke(1500, colors.underline)
        case .double: lines += stroke(1430, colors.underline) + stroke(1630, colors.underline)
        case .dotted: lines += stroke(1500, colors.underline, "1.4 1.4")
        case .dashed: lines += stroke(1500, colors.underline, "4.2 2.1")
        case .curly:
            let wave = String(repeating: "q1.05 -2 2.1 0t2.1 0", count: width / 420)
            lines += "<path d=\"M\(Markup.length(left)) \(Markup.length(top + 1530))\(wave)\" fill=\"none\" "
            lines += "stroke=\"\(colors.underline.text)\"/>\n"
        }
        if style.attributes.contains(.struck) { lines += stroke(850, colors.text) }
        if style.attributes.contains(.overlined) { lines += stroke(50, colors.text) }
    }

    private func cursor() -> String {
        guard screen.isCursorVisible else { return "" }
        let left = screen.cursor.column * Self.cellWidth
        let top = (screen.scrollback.count + screen.cursor.row) * Self.cellHeight
        let (x, y, width, height) =
            switch screen.cursorShape.name {
            case "underline": (left, top + Self.cellHeight - 200, Self.cellWidth, 200)
            case "bar": (left, top, 150, Self.cellHeight)
            default: (left, top, Self.cellWidth, Self.cellHeight)
            }
        return "<rect x=\"\(Markup.length(x))\" y=\"\(Markup.length(y))\" width=\"\(Markup.length(width))\" "
            + "height=\"\(Markup.length(height))\" fill=\"\(theme.cursor.text)\" opacity=\"0.6\"/>\n"
    }
}
