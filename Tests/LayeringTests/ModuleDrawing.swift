/// Draws the module graph as an SVG picture, `docs/modules.svg`.
///
/// Positions are chosen so that most imports are vertical arrows; a tag in the box of a module names those that are not.
/// What a module can import through another one is not shown.
enum ModuleDrawing {
    struct Box {
        var name: String
        /// The row, from the top.
        var row: Int
        var columns: Range<Int>
        /// What the module does, in lines that fit in the box.
        var words: [String]
    }

    static let boxes: [Box] = [
        Box(name: "vt", row: 0, columns: 0..<9, words: ["connects the modules; names the concrete adapters"]),
        Box(name: "Commands", row: 1, columns: 0..<6, words: ["one file per command: its arguments and its output"]),
        Box(name: "Services", row: 2, columns: 1..<5, words: ["what commands do, grouped by what they act on"]),
        Box(
            name: "Recording",
            row: 3,
            columns: 1..<3,
            words: ["reads, writes, edits, searches,", "redacts, renders recordings"]
        ),
        Box(name: "Storage", row: 3, columns: 3..<4, words: ["files, host keys,", "secrets, caches"]),
        Box(name: "VibeTunnel", row: 3, columns: 4..<5, words: ["its protocols,", "a client"]),
        Box(name: "Speech", row: 3, columns: 5..<6, words: ["audio, engines,", "phrases"]),
        Box(name: "Web", row: 3, columns: 6..<7, words: ["the server of", "pages"]),
        Box(name: "SessionHost", row: 3, columns: 7..<8, words: ["the holder of", "a session"]),
        Box(name: "SecureShell", row: 3, columns: 8..<9, words: ["libssh2 on", "an event loop"]),
        Box(name: "HTTP", row: 4, columns: 4..<7, words: ["requests to servers, WebSockets"]),
        Box(name: "Runtime", row: 5, columns: 2..<9, words: ["executor, clock, poller, threads, timeouts, pipes"]),
        Box(name: "Arguments", row: 6, columns: 0..<1, words: ["parser, help,", "manual pages"]),
        Box(name: "Terminal", row: 6, columns: 1..<2, words: ["emulator and", "renderers"]),
        Box(
            name: "System",
            row: 6,
            columns: 2..<9,
            words: ["system calls: files, processes, signals, terminals, sockets"]
        ),
        Box(
            name: "Core",
            row: 7,
            columns: 0..<9,
            words: ["values, errors, and ports: the protocols that adapters implement"]
        ),
    ]

    /// The modules of the package that a module imports, without those that it reaches through another one.
    static func directUses(of name: String) -> [String] {
        let uses = uses(of: name)
        let indirect = uses.reduce(into: Set<String>()) { $0.formUnion(Self.uses(of: $1)) }
        return uses.subtracting(indirect).sorted()
    }

    /// The picture.
    static let svg: String = {
        let height = top(of: rowCount) - gap + margin
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img">
            <title>The modules of vt</title>
            <desc>A module imports only modules that its arrows and tags lead to, or that are below those.</desc>
            <style>
            text{font:11px Helvetica,Arial,sans-serif;fill:#57606a;text-anchor:middle}
            .n{font-size:13px;font-weight:bold;fill:#1f2328}
            .b{fill:#f6f8fa;stroke:#8c959f}
            .t{fill:#ddf4ff;stroke:#54aeff}
            path{stroke:#57606a;fill:none}
            </style>
            <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="8" fill="#fff" stroke="#d0d7de"/>

            """
        for box in boxes { text += draw(box) }
        return text + "</svg>\n"
    }()

    private static let (rowCount, columnCount) = (8, 9)
    /// The only row of boxes with tags.
    private static let adapterRow = 3
    private static let tagHeight = 18
    private static let (margin, column, spacing, gap) = (14, 104, 8, 22)
    private static let width = 2 * margin + columnCount * column - spacing

    private static func uses(of name: String) -> Set<String> {
        let module = ModuleGraph.modules.first { $0.name == name }
        return module?.uses.intersection(ModuleGraph.modules.map(\.name)) ?? []
    }

    private static func draw(_ box: Box) -> String {
        let (x, y) = (margin + box.columns.lowerBound * column, top(of: box.row))
        let width = box.columns.count * column - spacing
        var text = rectangle("b", x, y, width, height(of: box.row))
        text += label(" class=\"n\"", x + width / 2, y + 18, box.name)
        for (line, words) in box.words.enumerated() {
            text += label("", x + width / 2, y + 34 + 14 * line, words)
        }
        let bottom = y + height(of: box.row)
        var tags: [String] = []
        for target in boxes where directUses(of: box.name).contains(target.name) {
            if let x = arrow(from: box, to: target) {
                text += "<path d=\"M\(x) \(bottom)V\(top(of: target.row) - 1)m-4-6l4 6l4-6\"/>\n"
            } else {
                tags.append(target.name)
            }
        }
        if !tags.isEmpty {
            text += rectangle("t", x + 8, bottom - tagHeight - 4, width - 16, tagHeight)
            text += label("", x + width / 2, bottom - 9, tags.joined(separator: ", "))
        }
        return text
    }

    /// Returns the position of a vertical line between two boxes, or nil if there is none, or a box between them.
    private static func arrow(from box: Box, to target: Box) -> Int? {
        let shared = box.columns.clamped(to: target.columns)
        let between = boxes.filter { $0.row > box.row && $0.row < target.row }
        let free = shared.filter { column in !between.contains { $0.columns.contains(column) } }
        guard let first = free.first, let last = free.last, free.count == last - first + 1 else { return nil }
        return margin + (first + last + 1) * column / 2 - spacing / 2
    }

    private static func height(of row: Int) -> Int {
        let lines = boxes.filter { $0.row == row }.map(\.words.count).max() ?? 0
        return 28 + 14 * lines + (row == adapterRow ? tagHeight : 0)
    }

    private static func top(of row: Int) -> Int {
        (0..<row).reduce(margin) { $0 + height(of: $1) + gap }
    }

    private static func rectangle(_ kind: String, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> String {
        "<rect class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"4\"/>\n"
    }

    private static func label(_ attributes: String, _ x: Int, _ y: Int, _ text: String) -> String {
        "<text\(attributes) x=\"\(x)\" y=\"\(y)\">\(text)</text>\n"
    }
}
