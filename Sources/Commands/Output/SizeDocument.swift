import Arguments
import Core

/// The size of a terminal as JSON.
struct SizeDocument: Codable {
    let columns: Int
    let rows: Int

    init(_ size: TerminalSize) {
        columns = size.columns
        rows = size.rows
    }
}

extension SizeDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case columns, rows
    }

    static let documentName = "size"
    static let documentSummary = "the size of a terminal"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .columns: JSONField(\Self.columns, "width", in: .columns)
        case .rows: JSONField(\Self.rows, "height", in: .rows)
        }
    }
}
