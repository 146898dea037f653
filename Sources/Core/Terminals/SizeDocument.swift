/// The size of a terminal as JSON.
package struct SizeDocument {
    private let columns: Int
    private let rows: Int

    package init(_ size: TerminalSize) {
        columns = size.columns
        rows = size.rows
    }
}

extension SizeDocument: JSONDocument {
    package static let documentName = "size"
    package static let documentSummary = "the size of a terminal"

    package static let fields: JSONTable<Self> = [
        .field("columns", \.columns, "width", in: .columns),
        .field("rows", \.rows, "height", in: .rows),
    ]
}
