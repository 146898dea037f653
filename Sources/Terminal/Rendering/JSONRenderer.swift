import Core

/// Renders a screen as a JSON object: rows of runs, each with one style, and the screen's other state.
///
/// Default attributes of rows and runs are omitted, as is unknown state. A color is an index from 0 to 255, or
/// `#rrggbb`; columns and rows are counted from 0.
package enum JSONRenderer {
    package static func render(_ screen: Screen) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { members(of: screen, to: &$0) }
        return writer.bytes
    }

    /// Writes the members of the object, for a document that has additional ones.
    package static func members(of screen: Screen, to writer: inout JSONWriter) {
        writer.name("size")
        writer.object { writer in
            writer.member("columns", screen.size.columns)
            writer.member("rows", screen.size.rows)
        }
        writer.name("cursor")
        cursor(screen, &writer)
        writer.member("alternate", screen.isAlternate)
        writer.member("title", screen.title.isEmpty ? nil : screen.title)
        writer.member("working_directory", screen.workingDirectory)
        writer.member("modes", screen.modes.set.map(\.name))
        prompt(screen.promptState, &writer)
        if !screen.scrollback.isEmpty {
            writer.name("scrollback")
            writer.array { for row in screen.scrollback { Self.row(row, &$0) } }
        }
        writer.name("rows")
        writer.array { for row in screen.rows { Self.row(row, &$0) } }
    }

    private static func cursor(_ screen: Screen, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("column", screen.cursor.column)
            writer.member("row", screen.cursor.row)
            writer.member("visible", screen.isCursorVisible)
            writer.member("shape", screen.cursorShape.name)
            writer.member("blinking", screen.cursorShape.isBlinking)
            if screen.cursor.isWrapPending { writer.member("wrap_pending", true) }
        }
    }

    private static func prompt(_ state: PromptState, _ writer: inout JSONWriter) {
        guard state.phase != .unknown else { return }
        writer.name("prompt")
        writer.object { writer in
            writer.member("phase", state.phase.rawValue)
            writer.member("status", state.status)
        }
    }

    private static func row(_ row: ScreenRow, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("text", row.text)
            if row.isWrapped { writer.member("wrapped", true) }
            if row.size != .single { writer.member("size", row.size.rawValue) }
            let marks: [(ScreenRow.PromptMarks, String)] = [
                (.prompt, "prompt"), (.input, "input"), (.output, "output"), (.end, "end"),
            ]
            let names = marks.filter { row.marks.contains($0.0) }.map(\.1)
            if !names.isEmpty { writer.member("marks", names) }
            writer.name("runs")
            writer.array { for run in row.runs() { Self.run(run, &$0) } }
        }
    }

    private static func run(_ run: ScreenRun, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("column", run.column)
            writer.member("width", run.width)
            writer.member("text", run.text)
            color("foreground", run.style.foreground, &writer)
            color("background", run.style.background, &writer)
            let attributes = run.style.attributes.names
            if !attributes.isEmpty { writer.member("attributes", attributes) }
            if run.style.underline != .none { writer.member("underline", run.style.underline.name) }
            color("underline_color", run.style.underlineColor, &writer)
            if let link = run.link {
                writer.member("link", link.target)
                if !link.id.isEmpty { writer.member("link_id", link.id) }
            }
        }
    }

    private static func color(_ name: String, _ color: Color, _ writer: inout JSONWriter) {
        switch color.kind {
        case .standard: break
        case .indexed(let index): writer.member(name, Int(index))
        case .rgb(let red, let green, let blue): writer.member(name, Theme.RGB(Int(red), Int(green), Int(blue)).text)
        }
    }
}
