import Arguments
import Core
import Services

/// The options of `vt sessions wait` that are conditions.
enum WaitOptions {
    static let exit = Option.flag("exit", summary: "wait for the program to exit, and exit with its status")
    static let match = Option("match", expression(), summary: "wait for a line that matches EXPRESSION").repeatable()
    static let failMatch = Option(
        "fail-match",
        expression(),
        summary: "stop waiting at a line that matches EXPRESSION, and exit with status 1"
    ).repeatable()
    static let ignoreCase = Option.flag("ignore-case", short: "i", summary: "ignore case")
    static let prompt = Option.flag(
        "prompt",
        summary: "wait for the prompt of a shell"
    )
    static let idle = Option("idle", .duration, summary: "wait until there has been no output for DURATION")

    /// A condition as a word, for commands that wait after something else.
    static let wait = Option(
        "wait",
        ValueKind("CONDITION", parse: condition),
        summary: "wait for prompt, exit, idle=DURATION, match=EXPRESSION or fail-match=EXPRESSION"
    ).repeatable()

    static let options: [any CommandOption] = [exit, match, failMatch, ignoreCase, prompt, idle]

    private static func expression() -> ValueKind<String> {
        ValueKind("EXPRESSION") { text throws(VTError) in
            _ = try LinePattern(text, ignoresCase: false)
            return text
        }
    }

    private static func condition(_ text: String) throws(VTError) -> WaitCondition {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        switch (WaitCondition.Kind(rawValue: parts[0]), parts.dropFirst().first) {
        case (.prompt, nil): return .prompt
        case (.exit, nil): return .exit
        case (.idle, let value?): return .idle(try Duration(parsing: value))
        case (.match, let value?): return .match(try LinePattern(value, ignoresCase: false), text: value)
        case (.failMatch, let value?):
            return .match(try LinePattern(value, ignoresCase: false), text: value, isFailure: true)
        default:
            throw VTError(
                .usage,
                "invalid condition '\(text)'",
                hint: "use prompt, exit, idle=DURATION, match=EXPRESSION or fail-match=EXPRESSION"
            )
        }
    }

    /// Returns the conditions; nil if there are none except those that mean a failure.
    static func conditions(_ call: Call) throws(VTError) -> [WaitCondition]? {
        let ignoresCase = call[ignoreCase]
        var conditions: [WaitCondition] = []
        for text in call[match] {
            conditions.append(.match(try LinePattern(text, ignoresCase: ignoresCase), text: text))
        }
        if let duration = call[idle] { conditions.append(.idle(duration)) }
        if call[prompt] { conditions.append(.prompt) }
        if call[exit] { conditions.append(.exit) }
        let hasGoal = !conditions.isEmpty
        for text in call[failMatch] {
            conditions.append(.match(try LinePattern(text, ignoresCase: ignoresCase), text: text, isFailure: true))
        }
        guard !ignoresCase || call.contains(match) || call.contains(failMatch) else {
            throw VTError(.usage, "--ignore-case requires --match or --fail-match")
        }
        return hasGoal ? conditions : nil
    }
}

extension WaitOutcome {
    /// The exit status of a command that waited.
    var status: UInt8 {
        switch condition {
        case .exit: session.exit?.shellStatus ?? 255
        case .failMatch: VTError.Code.negative.status
        case .match, .prompt, .idle: 0
        }
    }

    /// The offset where the condition was met, and what is known about it; with `isNamed`, after the condition.
    func text(isNamed: Bool) -> String {
        let detail: String? =
            switch condition {
            case .exit: SessionText.state(session)
            case .match, .failMatch: (line ?? "").sanitized
            case .prompt, .idle: nil
            }
        return (isNamed ? "\(condition.rawValue) " : "") + "\(offset)" + (detail.map { " \($0)" } ?? "")
    }
}
