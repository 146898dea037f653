/// Renders a screen as HTML: text that can be selected and copied, without scripts.
///
/// The colors 0 to 15 and the text, background and cursor colors are CSS variables, so that a page can change the
/// theme.
package struct HTMLRenderer {
    private let screen: Screen
    private let theme: Theme
    private var text = ""

    private init(_ screen: Screen, _ theme: Theme) {
        self.screen = screen
        self.theme = theme
    }

    /// Returns a page or, with `isFragment`, only the `style` and `pre` elements.
    package static func render(_ screen: Screen, theme: Theme = .standard, isFragment: Bool = false) -> String {
        var renderer = HTMLRenderer(screen, theme)
        if !isFragment { renderer.head() }
        renderer.style()
        if !isFragment { renderer.text += "</head>\n<body>\n" }
        renderer.body()
        if !isFragment { renderer.text += "</body>\n</html>\n" }
        return renderer.text
    }

    private mutating func head() {
        let title = Markup.escaped(screen.title.isEmpty ? "vt" : screen.title)
        text += """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>

            """
    }

    private mutating func style() {
        let palette = theme.palette.enumerated().map { "--vt-\($0.offset):\($0.element.text)" }.joined(separator: ";")
        let (front, back) = screen.modes[.reverseVideo] ? ("bg", "fg") : ("fg", "bg")
        text += """
            <style>
            .vt{--vt-fg:\(theme.foreground.text);--vt-bg:\(theme.background.text);--vt-cursor:\(theme.cursor.text);\(palette);\
            position:relative;display:inline-block;margin:0;padding:8px;color:var(--vt-\(front));\
            background:var(--vt-\(back));font:14px/1.25 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;\
            white-space:pre;tab-size:8}
            .vt span{padding:.045em 0}
            .vt a{color:inherit}
            .vt .w{display:inline-block;padding:0;width:2ch;overflow:hidden;vertical-align:bottom}
            .vt .c{position:absolute;width:1ch;height:1.25em;background:var(--vt-cursor);opacity:.6;pointer-events:none}
            </style>

            """
    }

    private mutating func body() {
        text += "<pre class=\"vt\">"
        let rows = screen.scrollback + screen.rows
        var end = rows.count
        while end > 1, rows[end - 1].cells.isEmpty { end -= 1 }
        for (index, row) in rows.enumerated() {
            if index > 0 { text += "\n" }
            guard index < end else { continue }
            for run in row.runs(apart: { $0.width == 2 }) { self.run(run) }
        }
        if screen.isCursorVisible { cursor() }
        text += "</pre>\n"
    }

    /// Writes the cursor, which is drawn over the text and is not part of it.
    private mutating func cursor() {
        let row = screen.scrollback.count + screen.cursor.row
        let shape =
            switch screen.cursorShape.name {
            case "underline": ";height:2px;margin-top:1.1em"
            case "bar": ";width:2px"
            default: ""
            }
        let top = Markup.length(row * 125)
        text += "<span class=\"c\" aria-hidden=\"true\" style=\"left:calc(8px + \(screen.cursor.column)ch);"
        text += "top:calc(8px + \(top)em)\(shape)\"></span>"
    }

    private mutating func run(_ run: ScreenRun) {
        let css = declarations(run.style)
        let target = Markup.target(run.link)
        var attributes = run.isWide ? " class=\"w\"" : ""
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
