import Core
import Terminal

/// A screen as JSON for pages, each of which receives the rows that have changed since it last received rows.
struct PaintedScreen: Sendable {
    /// Increases with each screen.
    private(set) var version: UInt64 = 0
    private var offset: UInt64 = 0
    /// Seconds since the start, for a screen in the past.
    private var time: Double?
    private var scrollback = (count: 0, total: 0)
    private(set) var screen: Screen?
    private var rows: [(version: UInt64, json: [UInt8])] = []
    /// The version at which the size last changed, so that older rows are useless.
    private var firstVersion: UInt64 = 0

    /// Shows the screen of an emulator.
    mutating func show(_ emulator: Emulator, at offset: UInt64, time: Double? = nil) {
        let screen = emulator.screen()
        version += 1
        let old = self.screen.flatMap { $0.size == screen.size ? $0.rows : nil }
        if old == nil {
            firstVersion = version
            rows = Array(repeating: (version, []), count: screen.rows.count)
        }
        for (index, row) in screen.rows.enumerated() where old?[index] != row {
            rows[index] = (version, Self.json(row, at: index))
        }
        self.screen = screen
        (self.offset, self.time) = (offset, time)
        scrollback = (emulator.scrollbackCount, emulator.scrollbackTotal)
    }

    /// Returns the document `rows` for a page that has received a version (0 for none); nil if there is no screen.
    func update(number: UInt64, since seen: UInt64) -> [UInt8]? {
        guard let screen else { return nil }
        let isFull = seen < firstVersion
        return JSONWriter.object { writer in
            writer.member("number", number)
            writer.member("offset", offset)
            for field in Self.stateFields { field.write(screen, &writer) }
            writer.member("time", time)
            writer.member("full", isFull)
            writer.member("scrollback", scrollback.count)
            writer.member("scrolled", scrollback.total)
            writer.array("rows") { writer in
                for row in rows where isFull || row.version > seen { writer.json(row.json) }
            }
        }
    }

    private static let stateFields = Screen.fields.fields.filter { $0.name != "rows" && $0.name != "scrollback" }

    private static func json(_ row: ScreenRow, at index: Int) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("at", index)
            ScreenRow.fields.write(row, to: &writer)
        }
    }
}
