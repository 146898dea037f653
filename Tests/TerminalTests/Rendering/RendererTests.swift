import Core
import Terminal
import Testing

struct RendererTests {
    private static let text =
        "\u{1B}]2;t<1>\u{7}\u{1B}[1;31mred\u{1B}[m & \u{1B}[48;2;1;2;3m漢\u{1B}[m\r\n"
        + "\u{1B}]8;;https://x/?a&b\u{7}go\u{1B}]8;;javascript:x\u{7}no\u{1B}]8;;\u{7}\u{1B}[?25l"

    @Test func `text omits trailing blanks`() throws {
        let screen = try Emulator("12x4", Self.text).screen()
        #expect(TextRenderer.render(screen) == "red & 漢\ngono\n")
        #expect(TextRenderer.render(try Emulator("12x4", "").screen()) == "")
    }

    @Test func `wrapped rows can be joined`() throws {
        let screen = try Emulator("4x3", "abcdefgh\u{1B}[31mij").screen()
        #expect(TextRenderer.render(screen, joined: true) == "abcdefghij\n")
        #expect(AnsiRenderer.render(screen, joined: true) == "abcdefgh\u{1B}[0;31mij\u{1B}[m\n")
    }

    @Test func `colors are written as specified by the program`() throws {
        let screen = try Emulator("12x2", "\u{1B}[1;31ma\u{1B}[38;5;200mb\u{1B}[m c\u{1B}[4:3;58;5;3md").screen()
        #expect(
            AnsiRenderer.render(screen)
                == "\u{1B}[0;1;31ma\u{1B}[0;1;38;5;200mb\u{1B}[m c\u{1B}[0;4:3;58:5:3md\u{1B}[m\n"
        )
    }

    @Test func `JSON has rows of runs, and omits defaults`() throws {
        let screen = try Emulator("8x2", "\u{1B}]133;A\u{7}\u{1B}[1;31mab\u{1B}[m漢\u{1B}[4:3;48;2;1;2;3mx").screen()
        let json = String(decoding: screen.json, as: UTF8.self)
        #expect(
            json == """
                {"size":{"columns":8,"rows":2},"cursor":{"column":5,"row":0,"visible":true,"shape":"block",\
                "blinking":false},"alternate":false,"modes":["local-echo-off","auto-wrap","auto-repeat","show-cursor",\
                "meta-escape","graphemes"],"prompt":{"phase":"prompt"},"rows":[{"text":"ab漢x","marks":["prompt"],\
                "runs":[{"column":0,"width":2,"text":"ab","foreground":1,"attributes":["bold"]},{"column":2,"width":2,\
                "text":"漢"},{"column":4,"width":1,"text":"x","background":"#010203","underline":"curly"}]},\
                {"text":"","runs":[]}]}
                """
        )
    }

    @Test func `HTML contains the text, safe links and no scripts`() throws {
        let screen = try Emulator("12x2", Self.text).screen()
        let html = HTMLRenderer.render(screen, isFragment: true)
        let body = html[try #require(html.firstRange(of: "<pre")).lowerBound...]
        #expect(
            body == """
                <pre class="vt" style="min-width:12ch"><span style="color:var(--vt-1);font-weight:bold">red</span> &amp; \
                <span class="w" style="background:#010203">漢</span>
                <a href="https://x/?a&amp;b" rel="noreferrer">go</a>no</pre>

                """
        )
        #expect(HTMLRenderer.render(screen).contains("<title>t&lt;1&gt;</title>"))
    }

    @Test func `an image is reproducible, and as large as the screen`() throws {
        let screen = try Emulator("10x2", Self.text).screen()
        let svg = SVGRenderer.render(screen)
        #expect(svg == SVGRenderer.render(try Emulator("10x2", Self.text).screen()))
        #expect(svg.contains("width=\"104\" height=\"54\""))
        #expect(svg.contains("<text y=\"13\" fill=\"#cd3131\" font-weight=\"bold\"><tspan x=\"0\">red</tspan></text>"))
        #expect(svg.contains("<rect x=\"50.4\" y=\"0\" width=\"16.8\" height=\"17\" fill=\"#010203\"/>"))
        #expect(svg.contains("<a href=\"https://x/?a&amp;b\">"))
        #expect(!svg.contains("javascript"))
        #expect(svg.contains("<desc>red &amp; 漢\ngono\n</desc>"))
    }

    @Test func `words in an image start at their columns`() throws {
        let svg = SVGRenderer.render(try Emulator("20x1", "a  b\u{1B}[31m 1\u{1B}[32méé x\u{1B}[m漢y").screen())
        let places = svg.matches(of: /<tspan x="([0-9.]+)">([^<]+)</).map { "\($0.1) \($0.2)" }
        #expect(places == ["0 a", "25.2 b", "42 1", "50.4 éé", "75.6 x", "84 漢", "100.8 y"])
    }

    // MARK: - Colors set by the program

    private static let colored =
        "\u{1B}]4;1;#102030;200;rgb:40/50/60\u{7}\u{1B}]10;#a0b0c0\u{7}\u{1B}]11;#0a0b0c\u{7}"
        + "p\u{1B}[31mr\u{1B}[38;5;200mx\u{1B}[m"

    @Test func `an image has the colors set by the program`() throws {
        let svg = SVGRenderer.render(try Emulator("10x2", Self.colored).screen())
        #expect(svg.contains("rx=\"6\" fill=\"#0a0b0c\"/>"))
        #expect(svg.contains("xml:space=\"preserve\" fill=\"#a0b0c0\""))
        #expect(svg.contains("fill=\"#102030\"><tspan x=\"8.4\">r<"))
        #expect(svg.contains("fill=\"#405060\"><tspan x=\"16.8\">x<"))
        let reset = "\(Self.colored)\u{1B}]104\u{7}\u{1B}]110\u{7}\u{1B}]111\u{7}"
        let usual = "p\u{1B}[31mr\u{1B}[38;5;200mx\u{1B}[m"
        #expect(
            try SVGRenderer.render(Emulator("10x2", reset).screen())
                == SVGRenderer.render(Emulator("10x2", usual).screen())
        )
    }

    @Test func `HTML has the colors set by the program, apart from those of the page`() throws {
        let screen = try Emulator("10x2", Self.colored).screen()
        let html = HTMLRenderer.render(screen, isFragment: true)
        let colors = "--vt-fg:#a0b0c0;--vt-bg:#0a0b0c;--vt-1:#102030"
        #expect(html.contains("<pre class=\"vt\" style=\"min-width:10ch;\(colors)\">"))
        #expect(html.contains("<span style=\"color:#405060\">x</span>"))
        #expect(html.contains(".vt{--vt-fg:\(Theme.standard.foreground.text);"))
    }

    @Test func `JSON has the colors set by the program, and the flags of kitty's keyboard protocol`() throws {
        let screen = try Emulator("10x2", Self.colored + "\u{1B}[>5u").screen()
        let json = String(decoding: screen.json, as: UTF8.self)
        #expect(
            json.contains(
                """
                "colors":{"background":"#0a0b0c","foreground":"#a0b0c0","palette":{"1":"#102030","200":"#405060"}}
                """
            )
        )
        #expect(json.contains(#""graphemes","kitty-disambiguate","kitty-alternate-keys"]"#))
    }

    @Test func `an animation has the colors set by the program from then on`() throws {
        var renderer = AnimatedSVGRenderer()
        try renderer.add(Emulator("10x2", "a\u{1B}[31mb").screen(), at: 0)
        let colors = "\u{1B}]4;1;#102030\u{7}\u{1B}]11;#0a0b0c\u{7}"
        try renderer.add(Emulator("10x2", "\(colors)a\u{1B}[31mb").screen(), at: 1000)
        let svg = renderer.document(endingAt: 2000)
        #expect(svg.contains("fill=\"#cd3131\"") && svg.contains("fill=\"#102030\""))
        #expect(svg.contains("fill=\"#0a0b0c\" d=\"M-15-15"))
        #expect(svg.contains("rx=\"7\" fill=\"\(Theme.standard.background.text)\""))
    }

    @Test(arguments: Theme.all)
    func `a theme has all its colors, and is found by name`(_ theme: Theme) {
        #expect(theme.palette.count == 16)
        #expect(Theme.named(theme.name) == theme)
        #expect(
            [theme.color(16), theme.color(208), theme.color(231), theme.color(232), theme.color(255)].map(\.text)
                == ["#000000", "#ff8700", "#ffffff", "#080808", "#eeeeee"]
        )
    }

    @Test func `the themes have the expected names`() {
        #expect(
            Theme.all.map(\.name) == [
                "vscode-dark", "default-dark", "default-light", "solarized-dark", "solarized-light", "dracula",
                "monokai",
                "nord", "tokyo-night",
            ]
        )
        #expect(Theme.named("Dracula") == nil)
    }
}
