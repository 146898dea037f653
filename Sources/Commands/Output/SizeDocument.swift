import Arguments
import Core

/// The size of a terminal as JSON.
struct SizeDocument {
    let columns: Int
    let rows: Int

    init(_ size: TerminalSize) {
        columns = size.columns
        rows = size.rows
    }
}

extension SizeDocument: JSONDocument {
    static let documentName = "size"
    static let documentSummary = "the size of a terminal"

    static let fields: JSONTable<Self> = [
        .field("columns", \.columns, "width", in: .columns),
        .field("rows", \.rows, "height", in: .rows),
    ]
}
