import Arguments
import Core

/// The options of all commands that list, which select and order the rows and choose what is printed of each.
struct ListOptions<Row: JSONValue>: Sendable {
    static var options: [any CommandOption] {
        [fields] + .under("Row options", topic: "lists", [format, ids, filter, sort])
    }

    private static var fields: Option<ListTemplate?> {
        Option(
            "fields",
            ValueKind("FIELDS", suggestions: Row.jsonType.fieldPaths, isList: true) { text throws(VTError) in
                try ListTemplate(fields: text, of: Row.jsonType)
            },
            excludes: [format, ids, GlobalOptions.json],
            summary: "print only these fields, separated by commas, with tabs between them",
            details: "Fields: \(Row.jsonType.fieldPaths.joined(separator: ", "))."
        )
    }

    private static var format: Option<ListTemplate?> {
        Option(
            "format",
            ValueKind("TEMPLATE") { text throws(VTError) in try ListTemplate(parsing: text, of: Row.jsonType) },
            excludes: [ids, GlobalOptions.json],
            summary: "print each row in this format, such as '{\(exampleField)}'"
        )
    }

    private static var ids: Option<Bool> {
        Option.flag("ids", excludes: [GlobalOptions.json], summary: "print only the names, one per line")
    }

    private static var filter: Option<[ListFilter]> {
        Option(
            "filter",
            ValueKind("FIELD=PATTERN", suggestions: Row.jsonType.fieldPaths.map { $0 + "=" }) { text throws(VTError) in
                try ListFilter(parsing: text, of: Row.jsonType)
            },
            summary: "list only rows in which the field matches a pattern with * and ?"
        ).repeatable()
    }

    private static var sort: Option<ListOrder?> {
        Option(
            "sort",
            ValueKind("FIELD", suggestions: Row.jsonType.fieldPaths) { text throws(VTError) in
                try ListOrder(parsing: text, of: Row.jsonType)
            },
            summary: "sort by this field; -FIELD reverses the order"
        )
    }

    private static var exampleField: String { Row.jsonType.fieldPaths.first ?? "name" }

    private let template: ListTemplate?
    private let filters: [ListFilter]
    private let order: ListOrder?
    /// Whether only the names are printed.
    let namesOnly: Bool

    init(_ call: Call) {
        let fields = call[Self.fields]
        let format = call[Self.format]
        template = fields ?? format
        filters = call[Self.filter]
        order = call[Self.sort]
        namesOnly = call[Self.ids]
    }

    /// Prints the selected rows as JSON, in the format that was requested, or as a table.
    ///
    /// A row without a name is omitted if only the names are printed.
    func show(
        _ rows: [Row],
        in context: Context,
        name: (Row) -> String?,
        table: ([Row]) -> TextTable
    ) throws(VTError) {
        let rows = try selected(rows)
        guard !context.global.json else { return try context.output.json(rows) }
        try context.output.text(text(of: rows, in: context.output.style, name: name, table: table))
    }

    /// The rows that match the filters, in the order that was requested.
    func selected(_ rows: [Row]) throws(VTError) -> [Row] {
        guard !filters.isEmpty || order != nil else { return rows }
        var records: [(row: Row, record: ListRecord)] = []
        for row in rows {
            let record = try ListRecord(row)
            if filters.allSatisfy({ $0.matches(record) }) { records.append((row, record)) }
        }
        if let order { records.sort { order.places($0.record, before: $1.record) } }
        return records.map(\.row)
    }

    /// The rows as text, one per line.
    func text(
        of rows: [Row],
        in style: OutputStyle,
        name: (Row) -> String?,
        table: ([Row]) -> TextTable
    ) throws(VTError) -> String {
        if namesOnly { return rows.compactMap(name).map { $0.sanitized + "\n" }.joined() }
        guard let template else { return table(rows).rendered(in: style) }
        return try rows.map { row throws(VTError) in try template.text(of: ListRecord(row)) + "\n" }.joined()
    }
}
