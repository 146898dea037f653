import Terminal
import Testing

/// Characters that are drawn as shapes, links, and rows of double size, in images and HTML.
struct ShapeTests {
    private func svg(_ text: String) throws -> String {
        SVGRenderer.render(try Emulator("10x3", "\u{1B}[?25l\(text)").screen())
    }

    private func animation(_ text: String) throws -> String {
        var renderer = AnimatedSVGRenderer()
        try renderer.add(Emulator("10x3", text).screen(), at: 0)
        return renderer.document(endingAt: 1000)
    }

    private func html(_ text: String) throws -> String {
        HTMLRenderer.render(try Emulator("10x3", "\u{1B}[?25l\(text)").screen(), isFragment: true)
    }

    @Test(arguments: ["╭", "╮", "╯", "╰"])
    func `a rounded corner has an arc with smooth edges`(_ corner: String) throws {
        let path = try #require(try svg(corner).firstMatch(of: /<path d="([^"]+)"[^>]* shape-rendering="auto"\/>/))
        #expect(path.1.count { $0 == "A" } == 2)
        let other = try #require(try animation(corner).firstMatch(of: /<path d="([^"]+)"[^>]*shape-rendering="auto"/))
        #expect(other.1.count { $0 == "A" } == 2)
    }

    @Test func `corners meet the lines beside them`() throws {
        let path = try #require(try svg("╭").firstMatch(of: /<path d="(M[^"]+)"/)).1
        // From the lower edge of the cell to its right edge, as wide as a line.
        #expect(path == "M3.6 17V12.7A4.8 4.8 0 0 1 8.4 7.9H8.4V9.1H8.4A3.6 3.6 0 0 0 4.8 12.7V17z")
    }

    @Test(arguments: [
        ("┄", 3), ("┅", 3), ("┆", 3), ("┇", 3), ("┈", 4), ("┉", 4), ("┊", 4), ("┋", 4), ("╌", 2), ("╏", 2),
    ])
    func `a dashed line has dashes`(_ line: String, _ count: Int) throws {
        let path = try #require(try svg(line).firstMatch(of: /<path d="(M[^"]+)"/)).1
        #expect(path.count { $0 == "M" } == count)
    }

    @Test func `a link has a dotted underline unless it has one of its own, or is not safe`() throws {
        let link = "\u{1B}]8;;https://x/\u{7}go\u{1B}]8;;\u{7}"
        #expect(try svg(link).contains("stroke-dasharray=\"1.4 1.4\""))
        #expect(try !svg("\u{1B}[4m\(link)").contains("stroke-dasharray"))
        #expect(try !svg("\u{1B}]8;;javascript:x\u{7}go").contains("stroke-dasharray"))
        #expect(try animation(link).contains("stroke-dasharray=\"1.7 1.6\""))
    }

    @Test func `rows of double size are enlarged`() throws {
        let text = try svg("\u{1B}#6ab\r\n\u{1B}#3ab\r\n\u{1B}#4ab")
        let boxes = text.matches(of: /<svg y="([^"]+)"[^>]* viewBox="([^"]+)"/).map { "\($0.1): \($0.2)" }
        #expect(boxes == ["0: 0 0 42 17", "17: 0 17 42 8.5", "34: 0 42.5 42 8.5"])
        let page = try html("\u{1B}#6ab\r\n\u{1B}#3ab\r\n\u{1B}#4ab")
        for size in ["d", "d t", "d l"] {
            #expect(page.contains("<span class=\"\(size)\" style=\"width:10ch\"><span>ab</span></span>"))
        }
    }

    @Test func `a character that may be too wide for its cell is fitted`() throws {
        #expect(try svg("①②").matches(of: /textLength="8.4" lengthAdjust="spacingAndGlyphs"/).count == 2)
        #expect(try !svg("ab漢").contains("textLength"))
        #expect(try html("①").contains("<span class=\"n\">①</span>"))
    }

    @Test func `boxes in HTML are drawn, and remain text`() throws {
        let page = try html("│─")
        #expect(page.contains("<span class=\"b b2502 n\">│</span><span class=\"b b2500 n\">─</span>"))
        #expect(page.matches(of: /\.vt \.b25[0-9a-f]{2}\{--b:url/).count == 2)
        #expect(try !html("ab").contains("--b:url"))
    }
}
