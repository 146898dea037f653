import Foundation

/// Checks a file against docs.asciinema.org/manual/asciicast/v3, independently of vt's reader.
enum PublishedRules {
    struct Violation: Error, Equatable {
        var line: Int
        var rule: String
    }

    /// The event codes of the format; readers ignore other codes.
    private static let codes = ["o", "i", "m", "r", "x"]

    static func check(_ file: [UInt8]) throws {
        guard file.last == 0x0A, let text = String(bytes: file, encoding: .utf8) else {
            throw Violation(line: 0, rule: "lines are UTF-8, each with a line end")
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        for (index, line) in lines.enumerated() {
            let value = try? JSONSerialization.jsonObject(with: Data(line.utf8))
            let rule = index == 0 ? brokenRule(header: value) : brokenRule(event: value)
            if let rule { throw Violation(line: index + 1, rule: rule) }
            if line.utf8.contains(where: { $0 < 0x20 }) { throw Violation(line: index + 1, rule: "no raw controls") }
        }
    }

    private static func brokenRule(header value: Any?) -> String? {
        guard let header = value as? [String: Any] else { return "the header is an object" }
        guard header["version"] as? Int == 3 else { return "version is 3" }
        guard let term = header["term"] as? [String: Any], let columns = term["cols"] as? Int,
            let rows = term["rows"] as? Int, columns > 0, rows > 0
        else { return "term has cols and rows" }
        let strings = [header["command"], header["title"], term["type"], term["version"]]
        guard strings.allSatisfy({ $0 == nil || $0 is String }) else { return "texts are strings" }
        guard header["timestamp"] == nil || header["timestamp"] is Int else { return "timestamp is an integer" }
        guard header["idle_time_limit"] == nil || header["idle_time_limit"] is Double else {
            return "limit is a number"
        }
        return term["theme"].flatMap(brokenRule(theme:))
    }

    private static func brokenRule(theme value: Any) -> String? {
        guard let theme = value as? [String: String], let palette = theme["palette"] else { return "theme has strings" }
        let colors = palette.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let all = [theme["fg"] ?? "", theme["bg"] ?? ""] + colors
        guard colors.count == 8 || colors.count == 16, all.allSatisfy({ $0.wholeMatch(of: /#[0-9a-fA-F]{6}/) != nil })
        else { return "colors are #rrggbb, and the palette has 8 or 16" }
        return nil
    }

    private static func brokenRule(event value: Any?) -> String? {
        guard let event = value as? [Any], event.count == 3, let interval = event[0] as? Double, interval >= 0,
            let code = event[1] as? String, let data = event[2] as? String
        else { return "an event is [interval, code, data]" }
        guard codes.contains(code) else { return nil }
        switch code {
        case "r": return data.wholeMatch(of: /[1-9][0-9]*x[1-9][0-9]*/) == nil ? "a size is COLSxROWS" : nil
        case "x": return Int32(data) == nil ? "an exit is a number" : nil
        default: return nil
        }
    }
}
