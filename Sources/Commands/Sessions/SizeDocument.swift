import Core

/// The size of a terminal.
struct SizeDocument: Codable {
    let columns: Int
    let rows: Int

    init(_ size: TerminalSize) {
        columns = size.columns
        rows = size.rows
    }
}
