import Core

/// Renders a screen as HTML: text that can be selected and copied, without scripts.
///
/// The colors 0 to 15 and the text, background and cursor colors are CSS variables, so that a page can change the
/// theme.
package struct HTMLRenderer {
    private let screen: Screen
    /// The theme of the page.
    private let pageTheme: Theme
    /// The theme with the colors that the program has set.
    private let theme: Theme
    private var text = ""
    /// The box drawing characters and blocks that are drawn, so that they meet those in other rows regardless of the
    /// font.
    private var boxes: Set<UInt32> = []
    private static let box = BoxDrawing(width: 840, height: 1800, line: 120)

    private init(_ screen: Screen, _ theme: Theme) {
        self.screen = screen
        pageTheme = theme
        self.theme = theme.with(screen.colors)
    }

    /// Returns a page or, with `isFragment`, only the `style` and `pre` elements.
    package static func render(_ screen: Screen, theme: Theme = .standard, isFragment: Bool = false) -> String {
        var renderer = HTMLRenderer(screen, theme)
        if !isFragment { renderer.text = Self.head(title: screen.title.isEmpty ? "vt" : screen.title) }
        let head = renderer.text
        renderer.text = ""
        renderer.body()
        let body = renderer.text
        renderer.text = head
        renderer.style()
        if !isFragment { renderer.text += "</head>\n<body>\n" }
        renderer.text += body
        if !isFragment { renderer.text += "</body>\n</html>\n" }
        return renderer.text
    }

    /// The start of a page, up to the title.
    static func head(title: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(Markup.escaped(title))</title>

        """
    }

    private mutating func style() {
        let (front, back) = screen.modes[.reverseVideo] ? ("bg", "fg") : ("fg", "bg")
        text += """
            <style>
            .vt{\(Self.variables(pageTheme).map { "\($0.name):\($0.value)" }.joined(separator: ";"));\
            position:relative;display:inline-block;margin:0;padding:8px;color:var(--vt-\(front));\
            background:var(--vt-\(back));font:14px/18px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;\
            white-space:pre;tab-size:8}
            .vt span{padding:1px 0}
            .vt a{color:inherit}
            .vt .w,.vt .n,.vt .b{display:inline-block;padding:0;width:2ch;height:18px;overflow:hidden;vertical-align:bottom}
            .vt .n{width:1ch}
            .vt .b{position:relative;-webkit-text-fill-color:transparent}
            .vt .b::before{content:"";position:absolute;inset:0;background:currentColor;mask:var(--b) 0 0/1ch 18px}
            .vt .d{display:inline-block;padding:0;height:18px;overflow:hidden;vertical-align:bottom}
            .vt .d>span{display:inline-block;padding:0;transform-origin:0 0;transform:scale(2,1)}
            .vt .t>span{transform:scale(2)}
            .vt .l>span{transform:translateY(-18px) scale(2)}
            .vt .c{position:absolute;width:1ch;height:18px;background:var(--vt-cursor);opacity:.6;pointer-events:none}
            \(boxRules)</style>

            """
    }

    /// The colors that a page can change.
    private static func variables(_ theme: Theme) -> [(name: String, value: String)] {
        [("--vt-fg", theme.foreground.text), ("--vt-bg", theme.background.text), ("--vt-cursor", theme.cursor.text)]
            + theme.palette.enumerated().map { ("--vt-\($0.offset)", $0.element.text) }
    }

    private mutating func body() {
        let changes = zip(Self.variables(theme), Self.variables(pageTheme)).filter { $0.value != $1.value }
        let css = ["min-width:\(screen.size.columns)ch"] + changes.map { "\($0.0.name):\($0.0.value)" }
        text += "<pre class=\"vt\" style=\"\(css.joined(separator: ";"))\">"
        let rows = screen.scrollback + screen.rows
        var end = rows.count
        while end > 1, rows[end - 1].cells.isEmpty { end -= 1 }
        for (index, row) in rows.enumerated() {
            if index > 0 { text += "\n" }
            guard index < end else { continue }
            self.row(row)
        }
        if screen.isCursorVisible { cursor() }
        text += "</pre>\n"
    }

    private mutating func row(_ row: ScreenRow) {
        let size =
            switch row.size {
            case .single: ""
            case .doubleWidth: "d"
            case .doubleTop: "d t"
            case .doubleBottom: "d l"
            }
        if !size.isEmpty { text += "<span class=\"\(size)\" style=\"width:\(screen.size.columns)ch\"><span>" }
        for run in row.runs(apart: { $0.width == 2 || Self.isApart($0) }) { self.run(run) }
        if !size.isEmpty { text += "</span></span>" }
    }

    /// Whether a character is drawn, or may come from a font with a different advance width.
    private static func isApart(_ cell: ScreenCell) -> Bool {
        cell.text.unicodeScalars.first.map { $0.value >= 0x900 } ?? false
    }

    /// The images of the box drawing characters that occur.
    private var boxRules: String {
        boxes.sorted().map { scalar in
            let path = Self.box.path(String(Unicode.Scalar(scalar) ?? " "), 0, 0) ?? ""
            return ".vt .b\(String(scalar, radix: 16)){--b:url(\"data:image/svg+xml,"
                + "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8.4 18' preserveAspectRatio='none'>"
                + "<path d='\(path)'/></svg>\")}\n"
        }.joined()
    }

    /// Writes the cursor, which is drawn over the text and is not part of it.
    private mutating func cursor() {
        let row = screen.scrollback.count + screen.cursor.row
        let shape =
            switch screen.cursorShape.name {
            case "underline": ";height:2px;margin-top:16px"
            case "bar": ";width:2px"
            default: ""
            }
        let cells = screen.isCursorRowWide ? 2 : 1
        text += "<span class=\"c\" aria-hidden=\"true\" style=\"left:calc(8px + \(screen.cursor.column * cells)ch);"
        text += "top:\(8 + row * 18)px\(shape)\"></span>"
    }

    private mutating func run(_ run: ScreenRun) {
        let css = declarations(run.style)
        let target = Markup.target(run.link)
        var attributes = run.isWide ? " class=\"w\"" : ""
        if run.width == 1, let scalar = run.text.unicodeScalars.first?.value, scalar >= 0x900 {
            let isBox = Self.box.path(run.text, 0, 0) != nil
            if isBox { boxes.insert(scalar) }
            attributes = isBox ? " class=\"b b\(String(scalar, radix: 16)) n\"" : " class=\"n\""
        }
        if !css.isEmpty { attributes += " style=\"\(css)\"" }
        if let target { text += "<a href=\"\(target)\" rel=\"noreferrer\">" }
        if !attributes.isEmpty { text += "<span\(attributes)>" }
        text += Markup.escaped(run.text)
        if !attributes.isEmpty { text += "</span>" }
        if target != nil { text += "</a>" }
    }

    // MARK: - Looks

    private func declarations(_ style: Style) -> String {
        var css: [String] = []
        let attributes = style.attributes
        let (ownFront, ownBack) = screen.modes[.reverseVideo] ? ("bg", "fg") : ("fg", "bg")
        var front = value(style.foreground)
        var back = value(style.background)
        if attributes.contains(.inverse) {
            (front, back) = (back ?? "var(--vt-\(ownBack))", front ?? "var(--vt-\(ownFront))")
        }
        if attributes.contains(.concealed) { front = "transparent" }
        if attributes.contains(.dim), front != "transparent" {
            let base = front ?? "var(--vt-\(ownFront))"
            front = "color-mix(in srgb,\(base) 67%,\(back ?? "var(--vt-\(ownBack))"))"
        }
        if let front { css.append("color:\(front)") }
        if let back { css.append("background:\(back)") }
        if attributes.contains(.bold) { css.append("font-weight:bold") }
        if attributes.contains(.italic) { css.append("font-style:italic") }
        css += decoration(style)
        return css.joined(separator: ";")
    }

    private func decoration(_ style: Style) -> [String] {
        var lines: [String] = []
        if style.underline != .none { lines.append("underline") }
        if style.attributes.contains(.struck) { lines.append("line-through") }
        if style.attributes.contains(.overlined) { lines.append("overline") }
        guard !lines.isEmpty else { return [] }
        var css = ["text-decoration-line:\(lines.joined(separator: " "))"]
        let kind: String? =
            switch style.underline {
            case .none, .single: nil
            case .double: "double"
            case .curly: "wavy"
            case .dotted: "dotted"
            case .dashed: "dashed"
            }
        if let kind { css.append("text-decoration-style:\(kind)") }
        if let color = value(style.underlineColor) { css.append("text-decoration-color:\(color)") }
        return css
    }

    private func value(_ color: Color) -> String? {
        switch color.kind {
        case .standard: nil
        case .indexed(let index) where index < 16: "var(--vt-\(index))"
        case .indexed(let index): theme.color(index).text
        case .rgb(let red, let green, let blue): Theme.RGB(Int(red), Int(green), Int(blue)).text
        }
    }
}
