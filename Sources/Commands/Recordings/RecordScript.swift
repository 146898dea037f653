import Core
import Services
import Terminal

/// The steps of `vt record --script`, one per line of a file.
struct RecordScript: Sendable {
    enum Action: Sendable {
        /// Types text.
        case send(String)
        case keys([Key])
        /// Types a line and Enter at the prompt of a shell, and waits for the next prompt.
        case execute(String)
        case wait(WaitCondition)
        case pause(Duration)
        case mark(MarkerLabel)
    }

    struct Step: Sendable {
        /// The file and the line, for messages.
        let place: String
        let action: Action
    }

    let steps: [Step]

    /// The maximum size of a script.
    static let limitBytes = 1 << 20

    /// Parses a script; `name` names the file in messages.
    ///
    /// - Throws: `data.invalid` for the first line that is not a step.
    init(_ bytes: [UInt8], name: String) throws(VTError) {
        var steps: [Step] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let place = "\(name):\(index + 1)"
            do throws(VTError) {
                guard let action = try Self.action(line.last == UInt8(ascii: "\r") ? line.dropLast() : line) else {
                    continue
                }
                steps.append(Step(place: place, action: action))
            } catch {
                throw VTError(.dataInvalid, "\(place): \(error.message)", hint: error.hint)
            }
        }
        self.steps = steps
    }

    /// Parses a line; nil for an empty line and a comment.
    private static func action(_ line: some Collection<UInt8>) throws(VTError) -> Action? {
        guard let text = String(validating: line, as: UTF8.self), !line.contains(0) else {
            throw VTError(.dataInvalid, "the line is not valid UTF-8, or contains a NUL byte")
        }
        let (name, rest) = words(text.drop { $0 == " " || $0 == "\t" })
        switch name {
        case "send": return .send(try required(rest, "TEXT"))
        case "exec": return .execute(try required(rest, "LINE"))
        case "key":
            return .keys(
                try required(rest, "KEY").split(whereSeparator: \.isWhitespace).map { name throws(VTError) in
                    try Key(parsing: String(name))
                }
            )
        case "wait": return .wait(try condition(try required(rest, "TEXT")))
        case "sleep": return .pause(try Duration(parsing: try required(rest, "DURATION")))
        case "mark": return .mark(try MarkerLabel(rest))
        case _ where name.isEmpty || name.hasPrefix("#"): return nil
        default:
            throw VTError(
                .dataInvalid,
                "unknown step '\(name)'",
                hint: "the steps are send, key, exec, wait, sleep and mark; comments start with #"
            )
        }
    }

    /// Splits a text after its first word.
    private static func words(_ text: Substring) -> (first: String, rest: String) {
        let words = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == " " || $0 == "\t" }
        return (words.first.map { String($0) } ?? "", words.dropFirst().first.map { String($0) } ?? "")
    }

    private static func required(_ text: String, _ placeholder: String) throws(VTError) -> String {
        guard text.contains(where: { !$0.isWhitespace }) else { throw VTError(.dataInvalid, "missing \(placeholder)") }
        return text
    }

    private static func condition(_ text: String) throws(VTError) -> WaitCondition {
        guard text.hasPrefix("--") else { return .match(try LinePattern(escaped(text)), text: text) }
        let (option, value) = words(text[...])
        switch option {
        case "--match": return .match(try LinePattern(try required(value, "EXPRESSION")), text: value)
        case "--idle": return .idle(try Duration(parsing: try required(value, "DURATION")))
        case "--prompt" where value.isEmpty: return .prompt
        case "--exit" where value.isEmpty: return .exit
        case "--screen": return .screen(.literal(try required(value, "TEXT")))
        case "--no-screen": return .screen(.literal(try required(value, "TEXT")), isAbsent: true)
        case "--title": return .title(.literal(try required(value, "TEXT")))
        default:
            throw VTError(
                .dataInvalid,
                "invalid condition '\(text)'",
                hint: "use TEXT, --match EXPRESSION, --screen TEXT, --no-screen TEXT, --title TEXT, --idle DURATION, "
                    + "--prompt or --exit"
            )
        }
    }

    /// An expression that matches only this text.
    private static func escaped(_ text: String) -> String {
        String(text.flatMap { "\\^$.[]|()*+?{}".contains($0) ? ["\\", $0] : [$0] })
    }
}
