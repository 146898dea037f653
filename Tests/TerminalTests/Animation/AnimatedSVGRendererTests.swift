import Core
import Terminal
import Testing

struct AnimatedSVGRendererTests {
    /// Renders output with one frame for each part, a tenth of a second apart.
    private func film(
        _ parts: [String],
        _ options: AnimatedSVGRenderer.Options = AnimatedSVGRenderer.Options()
    ) throws -> (document: String, screens: [Screen]) {
        let size = try #require(TerminalSize(columns: 40, rows: 6))
        var emulator = Emulator(size: size)
        var renderer = AnimatedSVGRenderer(options)
        var screens: [Screen] = []
        for (index, part) in parts.enumerated() {
            emulator.feed(Array(part.utf8))
            screens.append(emulator.screen())
            try renderer.add(emulator.screen(), at: Int64(index) * 100_000)
        }
        return (renderer.document(endingAt: Int64(parts.count) * 100_000), screens)
    }

    static let films: [String: [String]] = [
        "typing": ["$ ", "$ l\r$ l", "s", "\r\none  two\r\n$ ", "e", "x", "i", "t"],
        "scrolling": (0..<30).map { "line \($0) of <text> & \"more\"\r\n" },
        "redrawing": (0..<12).map { "\u{1B}[H\u{1B}[2J\u{1B}[3\($0 % 8)mframe \($0 % 3)\u{1B}[m\r\n  at  \($0)" },
        "blinking": (0..<9).map { $0 % 2 == 0 ? "\rshown  twice" : "\r\u{1B}[K" },
        "the other screen": ["main", "\u{1B}[?1049h\u{1B}[Hother", "\u{1B}[?1049l", "\u{1B}[?5h", "\u{1B}[?5l"],
    ]

    @Test(arguments: films.keys.sorted())
    func `shows the right screen at every point in time`(_ name: String) throws {
        let (document, screens) = try film(try #require(Self.films[name]))
        let film = Film(document)
        try #require(film.isWellFormed)
        for (index, screen) in screens.enumerated() {
            let shown = film.rows(at: (Double(index) + 0.5) / Double(screens.count))
            #expect(shown == Self.texts(screen), "frame \(index)")
        }
    }

    @Test(arguments: films.keys.sorted())
    func `a viewer without animation shows the last screen`(_ name: String) throws {
        let (document, screens) = try film(try #require(Self.films[name]))
        #expect(Film(document).rows(at: nil) == Self.texts(try #require(screens.last)))
    }

    private static func texts(_ screen: Screen) -> [String] {
        var texts = screen.rows.map(\.text)
        while texts.last == "" { texts.removeLast() }
        return texts
    }

    @Test func `omits characters that XML does not allow`() throws {
        var options = AnimatedSVGRenderer.Options()
        options.title = "a\u{1B}[31m\u{0}b\tc\u{FFFF}"
        let (document, _) = try film(["x", "y"], options)
        #expect(document.contains("<title>a\u{FFFD}[31m\u{FFFD}b\tc\u{FFFD}</title>"))
        #expect(Film(document).isWellFormed)
    }

    @Test func `renders a small film`() throws {
        var options = AnimatedSVGRenderer.Options()
        options.title = "a & b"
        let (document, _) = try film(["\u{1B}[?25l\u{1B}[31mred", "\u{1B}[m and"], options)
        #expect(
            document == """
                <svg xmlns="http://www.w3.org/2000/svg" width="344" height="120" viewBox="-15 -15 430 150" role="img">
                <title>a &amp; b</title>
                <style>
                #_>g>*,#_c{animation-duration:200ms;animation-timing-function:step-end;animation-iteration-count:infinite}
                #_>g>*{visibility:hidden}
                #_>g>._{visibility:visible}
                @media(prefers-reduced-motion:reduce){*{animation:none!important}}
                .A{animation-name:A}@keyframes A{50%{visibility:visible}0%{visibility:hidden}}
                </style>
                <rect x="-15" y="-15" width="430" height="150" rx="7" fill="#1e1e1e"/>
                <g id="_" fill="#cccccc" stroke-width="20" shape-rendering="crispEdges" font-size="16.6" \
                font-family="'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace">
                <g transform="translate(0 15)">
                <text fill="#cd3131" class="_">red</text>
                <text x="40" class="_ A">and</text>
                </g>
                </g>
                </svg>

                """
        )
    }

    @Test func `the same film produces the same bytes`() throws {
        let parts = try #require(Self.films["redrawing"])
        #expect(try film(parts).document == film(parts).document)
    }

    @Test func `the image is animated only by CSS, and loads no resources`() throws {
        let links =
            "\u{1B}]8;;javascript:alert(1)\u{7}bad\u{1B}]8;;\u{7} "
            + "\u{1B}]8;;https://a.example/?a&b\u{7}good\u{1B}]8;;\u{7}"
        let (document, _) = try film([links, "─── ▄▄ 中 \u{1B}[4:3m~\u{1B}[9m~"])
        let film = Film(document)
        #expect(film.isWellFormed)
        #expect(film.elementNames == ["svg", "title", "style", "rect", "g", "path", "text", "a"])
        #expect(document.contains("<a href=\"https://a.example/?a&amp;b\" class=\"_"))
        #expect(!document.contains("javascript"))
        #expect(!document.contains("url("))
    }

    @Test func `a link is visible while its row is shown`() throws {
        let link = "\u{1B}]8;;https://a.example\u{7}file\u{1B}]8;;\u{7}"
        let film = try film(["1 ", link, " end", "\r\n2"])
        let rows = Film(film.document)
        #expect(rows.isWellFormed)
        #expect(rows.rows(at: nil) == ["1 file end", "2"])
        #expect(rows.rows(at: 1) == ["1 file end", "2"])
        #expect(rows.rows(at: 0) == ["1"])
    }

    @Test func `a film that ends stays at its last frame`() throws {
        var options = AnimatedSVGRenderer.Options()
        options.isLooping = false
        let (document, _) = try film(["a", "b"], options)
        #expect(document.contains("animation-fill-mode:forwards}"))
        #expect(!document.contains("infinite"))
    }

    @Test func `merges a line of box characters into one shape`() throws {
        let (document, _) = try film(["\u{1B}[?25l" + String(repeating: "─", count: 40)])
        #expect(document.split(separator: "<path").count == 2)
        #expect(document.utf8.count < 900)
    }

    @Test func `rejects an image that becomes too large`() throws {
        var options = AnimatedSVGRenderer.Options()
        options.limitBytes = 4_000
        #expect {
            _ = try film((0..<50).map { "\rline \($0)" }, options)
        } throws: { ($0 as? VTError)?.code == .cannotCreate }
    }
}
