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
    /// The elements of the rows so far, below and above which others are drawn.
    private var layers = (backgrounds: "", shapes: "", lines: "", words: "")

    // Lengths are in hundredths of a pixel.
    private static let cellWidth = 840
    private static let cellHeight = 1700
    private static let baseline = 1300
    private static let padding = 1000
    private static let boxes = BoxDrawing(width: cellWidth, height: cellHeight, line: 120)

    private init(_ screen: Screen, _ theme: Theme) {
        self.screen = screen
        self.theme = theme.with(screen.colors)
        rows = screen.scrollback + screen.rows
    }

    package static func render(_ screen: Screen, theme: Theme = .standard) -> String {
        var renderer = SVGRenderer(screen, theme)
        for y in renderer.rows.indices {
            renderer.row(y)
            renderer.endRow(y)
        }
        return renderer.document()
    }

    /// The size of the image in pixels.
    package static func size(of screen: Screen) -> (width: Double, height: Double) {
        let rows = screen.scrollback.count + screen.rows.count
        return (
            Double(screen.size.columns * cellWidth + 2 * padding) / 100, Double(rows * cellHeight + 2 * padding) / 100
        )
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
            \(layers.backgrounds)\(cursor())\(layers.shapes)</g>
            \(layers.lines)<g xml:space="preserve" fill="\(front)" font-size="14" \
            font-family="'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace">
            \(layers.words)</g>
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
            let isLink = run.style.underline == .none && Markup.target(run.link) != nil
            decorations(run.style, colors, left, top, width)
            if isLink { decorations(run.style.linked, colors, left, top, width) }
            guard !run.style.attributes.contains(.concealed) else { continue }
            if let path = Self.boxes.path(run.text, left, top) {
                let smooth = BoxDrawing.isCurved(run.text) ? " shape-rendering=\"auto\"" : ""
                shapes += "<path d=\"\(path)\" fill=\"\(colors.text.text)\"\(smooth)/>\n"
            } else {
                text(run, colors.text, top + Self.baseline)
            }
        }
    }

    /// Adds the elements of a row to the layers, enlarged if its characters are of double size.
    private mutating func endRow(_ y: Int) {
        let box = enlargement(y)
        func enlarged(_ elements: String) -> String {
            guard let box, !elements.isEmpty else { return elements }
            return "\(box)\(elements)</svg>\n"
        }
        layers.backgrounds += enlarged(backgrounds)
        layers.shapes += enlarged(shapes)
        layers.lines += enlarged(lines)
        layers.words += enlarged(words)
        (backgrounds, shapes, lines, words) = ("", "", "", "")
    }

    /// The start of an element that shows a part of a row in the space of the row; nil for a row of the usual size.
    private func enlargement(_ y: Int) -> String? {
        let size = rows[y].size
        guard size != .single else { return nil }
        let (top, width) = (y * Self.cellHeight, screen.size.columns * Self.cellWidth)
        let start = size == .doubleBottom ? top + Self.cellHeight / 2 : top
        let height = size == .doubleWidth ? Self.cellHeight : Self.cellHeight / 2
        return "<svg y=\"\(Markup.length(top))\" width=\"\(Markup.length(width))\" "
            + "height=\"\(Markup.length(Self.cellHeight))\" viewBox=\"0 \(Markup.length(start)) "
            + "\(Markup.length(width / 2)) \(Markup.length(height))\" preserveAspectRatio=\"none\">"
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
        // The glyph may come from a font with wider characters, as that of `①` often does.
        if run.width == 1, run.text.unicodeScalars.first.map({ $0.value >= 0x900 }) == true {
            attributes += " textLength=\"\(Markup.length(Self.cellWidth))\" lengthAdjust=\"spacingAndGlyphs\""
        }
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
        let row = screen.scrollback.count + screen.cursor.row
        let cell = screen.isCursorRowWide ? Self.cellWidth * 2 : Self.cellWidth
        let left = screen.cursor.column * cell
        let top = row * Self.cellHeight
        let (x, y, width, height) =
            switch screen.cursorShape.name {
            case "underline": (left, top + Self.cellHeight - 200, cell, 200)
            case "bar": (left, top, 150, Self.cellHeight)
            default: (left, top, cell, Self.cellHeight)
            }
        return "<rect x=\"\(Markup.length(x))\" y=\"\(Markup.length(y))\" width=\"\(Markup.length(width))\" "
            + "height=\"\(Markup.length(height))\" fill=\"\(theme.cursor.text)\" opacity=\"0.6\"/>\n"
    }
}
