import Foundation

/// The exit status and output of a command in a document.
struct CommandResult {
    let exit: Int32
    let output: [String]
    let messages: [String]

    /// Reads the files that readme.sh wrote for command `number`.
    init(number: Int, in directory: String) throws {
        func text(_ suffix: String) throws -> String {
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(number).\(suffix)"))
            return String(decoding: data, as: UTF8.self)
        }
        func lines(_ suffix: String) throws -> [String] {
            try text(suffix).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast().map(
                String.init
            )
        }
        exit = Int32(try text("status").filter(\.isNumber)) ?? -1
        output = try lines("out")
        messages = try lines("err")
    }

    /// Whether `shown` is this output, with or without the messages of vt itself.
    ///
    /// Ignores the order of lines, because several servers can respond in any order, differences in numbers and session
    /// IDs, and what the document replaces by `…` at the end of a line, which a comment may follow.
    func matches(_ shown: [String]) throws -> Bool {
        let changing = try Regex(#"\b[0-9a-f]{12}(?:[0-9a-f]{4})?\b|\d+"#)
        func normalized(_ lines: [String]) -> [String] {
            lines.map { $0.replacing(changing, with: "#") }.sorted()
        }
        func matches(_ lines: [String]) -> Bool {
            let (shown, printed) = (normalized(shown), normalized(lines))
            return shown.count == printed.count
                && zip(shown, printed).allSatisfy { shown, printed in
                    let parts = shown.split(separator: "…", maxSplits: 1)
                    return parts.count == 2 || shown.hasSuffix("…") ? printed.hasPrefix(parts[0]) : printed == shown
                }
        }
        return matches(output + messages.filter { !$0.hasPrefix("vt: ") }) || matches(output + messages)
    }
}
