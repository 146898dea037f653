import Arguments
import Core
import Services
import System
import Terminal

/// Compares a screen with one that is stored in a file: `--expect` of `vt sessions screen`.
struct ScreenExpectation {
    static let expect = Option(
        "expect",
        .text("FILE", completion: .file),
        excludes: [ScreenFind.find, ScreenOptions.format],
        summary: "compare the screen with FILE, and print a diff if it is different",
        details:
            "The exit status is 1 if the screen is different. FILE has the text that is otherwise printed, so that "
            + "it can be read and reviewed."
    )
    private static let update = Option.flag(
        "update",
        summary: "with --expect, write the screen to FILE if it is different"
    )
    private static let mask = Option(
        "mask",
        .text("EXPRESSION"),
        summary: "with --expect, ignore what matches EXPRESSION, such as a time",
        details: "Each match is replaced by *** in both screens, also in the file that --update writes."
    ).repeatable()
    private static let styles = Option.flag(
        "styles",
        summary: "with --expect, also compare colors, attributes and links",
        details: "FILE is then a JSON document with one line for each row."
    )

    static let options: [any CommandOption] = [expect, update, mask, styles]

    private let path: String
    private let updates: Bool
    private let masks: [LinePattern]
    private let comparesStyles: Bool

    /// Nil without `--expect`.
    ///
    /// - Throws: `usage` for an invalid expression, and for options that need `--expect`.
    init?(_ call: Call) throws(VTError) {
        guard let path = call[Self.expect] else {
            if let option = Self.options.first(where: { call.contains($0) }) {
                throw VTError(.usage, "--\(option.long) requires --expect")
            }
            return nil
        }
        self.path = path
        updates = call[Self.update]
        masks = try call[Self.mask].map { text throws(VTError) in try LinePattern(text) }
        comparesStyles = call[Self.styles]
    }

    /// The rows that are expected; nil if the file does not exist and is to be created.
    ///
    /// - Throws: `not-found`; `data.invalid` for a symbolic link, and for a file that is not text.
    func expected() throws(VTError) -> [String]? {
        guard FileContents.link(at: path) == nil else {
            throw VTError(.dataInvalid, "'\(path)' is a symbolic link, and symbolic links are not followed")
        }
        guard let bytes = try FileContents.read(path) else {
            guard !updates else { return nil }
            throw VTError(.notFound, "'\(path)' does not exist", hint: "to create it, add --update")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw VTError(.dataInvalid, "'\(path)' is not valid UTF-8")
        }
        return rows(text)
    }

    /// The rows of a screen as the file has them.
    func rows(of screen: Screen) -> [String] {
        guard comparesStyles else { return rows(TextRenderer.render(screen)) }
        let rows = (screen.scrollback + screen.rows).map { String(decoding: $0.jsonLine.dropLast(), as: UTF8.self) }
        return self.rows("[\n" + rows.joined(separator: ",\n") + "\n]\n")
    }

    private func rows(_ text: String) -> [String] {
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false).map { masked(Array($0.utf8)) }
        if rows.last == "" { rows.removeLast() }
        return rows
    }

    private func masked(_ row: [UInt8]) -> String {
        var row = row
        for mask in masks {
            for match in mask.matches(in: row).reversed() where !match.isEmpty {
                row.replaceSubrange(match, with: Self.masked)
            }
        }
        return String(decoding: row, as: UTF8.self)
    }

    private static let masked = Array("***".utf8)

    /// Reports how the rows differ from those expected, or writes the file; returns the exit status.
    func conclude(_ rows: [String], _ expected: [String]?, _ context: Context) throws(VTError) -> ProcessExit {
        let isEqual = rows == expected
        let diff = isEqual || updates ? "" : Self.diff(path, expected ?? [], rows)
        if !isEqual, updates {
            let file = try AtomicFile(at: path, replaces: true)
            try file.write(Array(rows.map { $0 + "\n" }.joined().utf8))
            try file.commit()
            context.diagnostics.note("wrote the screen to '\(path)'")
        }
        try context.show(Document(path: path, isEqual: isEqual, isUpdated: !isEqual && updates, diff: diff)) { diff }
        return .status(isEqual || updates ? 0 : VTError.Code.negative.status)
    }

    private static func diff(_ path: String, _ expected: [String], _ rows: [String]) -> String {
        let hunks = LineDiff(from: expected, to: rows).hunks
        return (["--- \(path.sanitized)", "+++ screen"] + hunks.joined().map(\.sanitized)).joined(separator: "\n")
            + "\n"
    }

    struct Document {
        let path: String
        let isEqual: Bool
        let isUpdated: Bool
        let diff: String
    }
}

extension ScreenExpectation.Document: JSONDocument {
    static let documentName = "screen comparison"
    static let documentSummary = "the result of `--expect`"

    static let fields: JSONTable<Self> = [
        .field("file", \.path, "file with the expected screen"),
        .field("equal", \.isEqual, "whether the screen is as expected"),
        .field("updated", \.isUpdated, "whether the file has been written"),
        .field("diff", \.diffIfAny, "differences, in the unified format of diff(1)"),
    ]

    private var diffIfAny: String? { diff.isEmpty ? nil : diff }
}
