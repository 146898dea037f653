import Core

/// Renders the Markdown reference for all JSON documents.
package struct JSONReference: Sendable {
    private let tree: CommandTree

    package init(_ tree: CommandTree) {
        self.tree = tree
    }

    package func text() -> String {
        let commands = tree.overview.documents()
        let sections = [Self.introduction, table(of: commands)] + objects(in: commands).map(section)
        return sections.joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        <!-- Generated from the source code by 'make generate'. -->
        # JSON output

        With `--json`, vt writes JSON to standard output:

        - A command writes one document or, where indicated in the table, any number of documents, one per line.
          Each document is on one line, unless standard output is a terminal, where single documents are indented.
        - A field marked *optional* is absent if its value is unknown or does not apply; no field is ever `null`.
        - Times are RFC 3339 in UTC: `2026-11-21T09:30:00Z`. Sizes and offsets are in bytes.
        - Later versions may add fields and values, but will not rename or remove fields.
        - Control characters, and characters that reorder text, are escaped.
        - If a command fails, it writes a [failure](#failure) to standard error, on one line. `vt help exit-codes` lists
          the exit statuses. If a command fails for several of its arguments, it writes a failure for each. A command
          whose output contains the failures of its targets, such as `vt exec`, only writes a summary as text.
        """

    // MARK: - Commands

    private func table(of commands: [CommandOverview.Documents]) -> String {
        let rows = commands.flatMap { command in
            command.documents.map { document in
                let form = document.form == .lines ? ", one per line" : ""
                let condition = document.condition.map { " \($0)" } ?? ""
                return "| `\(command.command)`\(condition) | \(text(document.type))\(form) |"
            }
        }
        let others = commands.filter(\.documents.isEmpty).map { "`\($0.command)`" }
        let rest = others.isEmpty ? "" : "\n\nThese commands write no JSON: \(others.joined(separator: ", "))."
        return (["## Commands", "", "| Command | Output |", "|---|---|"] + rows).joined(separator: "\n") + rest
    }

    // MARK: - Objects

    /// Returns each object once, in the order of the first document that contains it.
    private func objects(in commands: [CommandOverview.Documents]) -> [ObjectSpec] {
        var found: [ObjectSpec] = []
        for document in commands.flatMap(\.documents) {
            for object in document.type.objects where !found.contains(where: { $0.name == object.name }) {
                found.append(object)
            }
        }
        return found
    }

    private func section(_ object: ObjectSpec) -> String {
        let rows = object.fields.map { field in
            let type = text(field.type) + (field.isOptional ? ", *optional*" : "")
            return "| `\(field.name)` | \(type) | \(field.unit?.rawValue ?? "") | \(cell(field.meaning)) |"
        }
        let header = ["## \(object.name)", "", "\(object.summary.sentence)", ""]
        return (header + ["| Field | Type | Unit | Meaning |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }

    private func text(_ type: JSONType) -> String {
        switch type {
        case .string: "string"
        case .choice(let values): list(values.map { "`\"\(cell($0))\"`" })
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .array(let element): "array of \(plural(element))"
        case .map(let value): "object whose values are \(plural(value))"
        case .object(let object): "[\(object.name)](#\(anchor(object.name)))"
        case .either(let types): list(types.map(text))
        case .any: "any value"
        }
    }

    private func plural(_ type: JSONType) -> String {
        switch type {
        case .string, .integer, .number, .boolean: "\(text(type))s"
        case .object: "\(text(type)) objects"
        case .either(let types): list(types.map(plural))
        case .choice, .array, .map, .any: text(type)
        }
    }

    /// Joins the items as in `a, b or c`.
    private func list(_ items: [String]) -> String {
        guard items.count > 1, let last = items.last else { return items.joined() }
        return items.dropLast().joined(separator: ", ") + " or " + last
    }

    /// Returns the anchor that GitHub generates for a heading.
    private func anchor(_ heading: String) -> String {
        String(heading.lowercased().map { $0 == " " ? "-" : $0 })
    }

    /// Returns the text for a table cell, with vertical bars escaped.
    private func cell(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
