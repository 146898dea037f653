/// Formats styles as SGR parameters.
enum GraphicText {
    /// The parameters that select a style regardless of the previous one: `0;1;38;2;…`, or `0` for the plain style.
    ///
    /// xterm, kitty and tmux interpret them alike. With `withColons`, they have the form that xterm reports.
    static func parameters(_ style: Style, withColons: Bool = false) -> String {
        var parts = ["0"]
        let attributes: [(Style.Attributes, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.blink, "5"), (.inverse, "7"), (.concealed, "8"),
            (.struck, "9"), (.overlined, "53"),
        ]
        parts += attributes.filter { style.attributes.contains($0.0) }.map(\.1)
        switch style.underline {
        case .none: break
        case .single: parts.append("4")
        case .double where withColons: parts.append("21")
        case .double, .curly, .dotted, .dashed: parts.append("4:\(style.underline.rawValue)")
        }
        parts += color(style.foreground, 30, withColons) + color(style.background, 40, withColons)
        switch style.underlineColor.kind {
        case .standard: break
        case .indexed(let index): parts.append("58:5:\(index)")
        case .rgb(let red, let green, let blue): parts.append("58:2::\(red):\(green):\(blue)")
        }
        return parts.joined(separator: ";")
    }

    private static func color(_ color: Color, _ base: Int, _ withColons: Bool) -> [String] {
        switch color.kind {
        case .standard: []
        case .indexed(let index) where index < 8: [String(base + Int(index))]
        case .indexed(let index) where index < 16: [String(base + 52 + Int(index))]
        case .indexed(let index) where withColons: ["\(base + 8):5:\(index)"]
        case .indexed(let index): ["\(base + 8);5;\(index)"]
        case .rgb(let red, let green, let blue) where withColons: ["\(base + 8):2::\(red):\(green):\(blue)"]
        case .rgb(let red, let green, let blue): ["\(base + 8);2;\(red);\(green);\(blue)"]
        }
    }
}
