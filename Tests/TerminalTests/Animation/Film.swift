import Foundation
import FoundationXML

/// Parses an animated SVG, and evaluates its CSS rules for any point in time.
final class Film: NSObject, XMLParserDelegate {
    private struct Piece {
        var row: Int
        var column: Int
        var text: String
        /// The classes of the elements that contain the text and can hide it.
        var classes: [[String]]
        var reference: String?
    }

    private var pieces: [Piece] = []
    private var definitions: [String: [Piece]] = [:]
    private var style = ""
    private var open: [(name: String, attributes: [String: String])] = []
    /// The number of characters read of the current element, whose text arrives in parts.
    private var offset = 0
    private(set) var elementNames: Set<String> = []
    private(set) var isWellFormed = false

    init(_ document: String) {
        super.init()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    /// The rows at a fraction of the duration from 0 to 1, or without animation if nil; trailing spaces are omitted.
    func rows(at part: Double?) -> [String] {
        var rows: [Int: [Int: Character]] = [:]
        for piece in pieces where piece.classes.allSatisfy({ isVisible($0, part) }) {
            let inner = piece.reference.map { definitions[$0] ?? [] } ?? [piece]
            for each in inner {
                for (offset, character) in each.text.enumerated() {
                    rows[piece.row, default: [:]][each.column + offset] = character
                }
            }
        }
        guard let last = rows.keys.max() else { return [] }
        return (0...last).map { y in
            let row = rows[y] ?? [:]
            return row.isEmpty ? "" : String((0...(row.keys.max() ?? 0)).map { row[$0] ?? " " })
        }
    }

    private func isVisible(_ classes: [String], _ part: Double?) -> Bool {
        let isLast = classes.contains("_")
        guard let part, let name = classes.first(where: { style.contains("@keyframes \($0){") }) else { return isLast }
        let body = style.components(separatedBy: "@keyframes \(name){")[1].components(separatedBy: "}}")[0] + "}"
        var state = isLast
        var steps: [(Double, Bool)] = []
        for rule in body.split(separator: "}") {
            let halves = rule.split(separator: "{")
            for time in halves[0].split(separator: ",") {
                steps.append(((Double(time.dropLast()) ?? -1) / 100, halves[1] == "visibility:visible"))
            }
        }
        for step in steps.sorted(by: { $0.0 < $1.0 }) where step.0 <= part { state = step.1 }
        return state
    }

    // MARK: - XMLParserDelegate

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append((name, attributes))
        offset = 0
        elementNames.insert(name)
        if name == "use", let reference = attributes["href"] {
            let name = String(reference.dropFirst())
            pieces.append(Piece(row: row, column: 0, text: "", classes: classes, reference: name))
        }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if open.last?.name == "style" { style += text }
        guard open.last?.name == "text" else { return }
        let column = (Int(open.last?.attributes["x"] ?? "0") ?? 0) / 10 + offset
        offset += text.count
        if open.contains(where: { $0.name == "defs" }) {
            let name = open.first { $0.name == "g" }?.attributes["id"] ?? ""
            definitions[name, default: []].append(Piece(row: 0, column: column, text: text, classes: []))
        } else {
            pieces.append(Piece(row: row, column: column, text: text, classes: classes))
        }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }

    private var row: Int {
        let offset = open.compactMap { $0.attributes["transform"] }.first { $0.hasPrefix("translate(0 ") }
        return ((offset.flatMap { Int($0.dropFirst(12).dropLast()) } ?? 15) - 15) / 20
    }

    /// The classes of the current child of the element that is positioned by `transform`.
    private var classes: [[String]] {
        guard let lane = open.firstIndex(where: { $0.attributes["transform"] != nil }), lane + 1 < open.count else {
            return []
        }
        return [open[lane + 1].attributes["class"]?.split(separator: " ").map(String.init) ?? []]
    }
}
