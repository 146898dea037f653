import Arguments
import Core
import Services
import Terminal

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
    static let screen = Option("screen", screenText, summary: "wait until TEXT is on the screen").repeatable()
    static let noScreen = Option("no-screen", screenText, summary: "wait until TEXT is not on the screen").repeatable()
    static let title = Option("title", screenText, summary: "wait until the window title contains TEXT").repeatable()
    static let regex = Option.flag(
        "regex",
        summary: "treat each TEXT of --screen, --no-screen and --title as an expression"
    )
    static let scrollback = Option(
        "scrollback",
        .number("ROWS", in: 0...ScreenRequest.maximumScrollback),
        default: "0",
        summary: "with --screen and --no-screen, also search up to ROWS rows above the screen"
    )
    static let settle = Option(
        "settle",
        .duration,
        summary: "wait until the condition is met and the screen has not changed for DURATION"
    )
    static let together = Option.flag(
        "together",
        summary: "wait until all conditions are met at the same time"
    )

    /// A condition as a word, for commands that wait after something else.
    static let wait = Option(
        "wait",
        ValueKind("CONDITION", parse: condition),
        summary: "wait for a condition: \(words)"
    ).repeatable()

    private static let words =
        "prompt, exit, idle=DURATION, match=EXPRESSION, fail-match=EXPRESSION, screen=TEXT, no-screen=TEXT or title=TEXT"

    static let options: [any CommandOption] = [
        exit, match, failMatch, ignoreCase, prompt, idle, screen, noScreen, title, regex, scrollback, settle, together,
    ]

    private static let screenText = ValueKind("TEXT") { text throws(VTError) in
        _ = try ScreenText(text, isExpression: false)
        return text
    }

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
        case (.screen, let value?): return .screen(try ScreenText(value, isExpression: false))
        case (.noScreen, let value?): return .screen(try ScreenText(value, isExpression: false), isAbsent: true)
        case (.title, let value?): return .title(try ScreenText(value, isExpression: false))
        default: throw VTError(.usage, "invalid condition '\(text)'", hint: "use \(words)")
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
        conditions += call[screen].map { .screen(.literal($0)) }
        conditions += call[noScreen].map { .screen(.literal($0), isAbsent: true) }
        conditions += call[title].map { .title(.literal($0)) }
        conditions = try read(conditions, isExpression: call[regex], ignoresCase: ignoresCase)
        let hasGoal = !conditions.isEmpty
        for text in call[failMatch] {
            conditions.append(.match(try LinePattern(text, ignoresCase: ignoresCase), text: text, isFailure: true))
        }
        guard !ignoresCase || conditions.contains(where: \.hasText) else {
            throw VTError(.usage, "--ignore-case requires --match, --fail-match, --screen, --no-screen or --title")
        }
        try check(conditions, call)
        let kinds = conditions.map(\.kind)
        guard !call.contains(scrollback) || kinds.contains(where: { [.screen, .noScreen].contains($0) }) else {
            throw VTError(.usage, "--scrollback requires --screen or --no-screen")
        }
        guard !call[together] || kinds.allSatisfy({ $0.concernsScreen || $0 == .idle }) else {
            throw VTError(.usage, "--together can be used only with --screen, --no-screen, --title and --idle")
        }
        guard !call[together] || kinds.contains(where: \.concernsScreen) else {
            throw VTError(.usage, "--together requires --screen, --no-screen or --title")
        }
        return hasGoal ? conditions : nil
    }

    /// The conditions with the texts for the screen as expressions or without regard to case, as requested.
    static func read(
        _ conditions: [WaitCondition],
        isExpression: Bool,
        ignoresCase: Bool = false
    ) throws(VTError) -> [WaitCondition] {
        try conditions.map { condition throws(VTError) in
            guard condition.kind.concernsScreen else { return condition }
            return try condition.with(isExpression: isExpression, ignoresCase: ignoresCase)
        }
    }

    /// Checks `--regex` and `--settle`, which concern only some conditions.
    static func check(_ conditions: [WaitCondition], _ call: Call) throws(VTError) {
        let kinds = conditions.map(\.kind)
        guard !call[regex] || kinds.contains(where: \.concernsScreen) else {
            throw VTError(.usage, "--regex requires --screen, --no-screen or --title", hint: matchHint)
        }
        guard !call.contains(settle) || kinds.contains(where: { $0.concernsScreen || [.match, .prompt].contains($0) })
        else { throw VTError(.usage, "--settle requires --screen, --no-screen, --title, --match or --prompt") }
    }

    private static let matchHint = "--match always takes an expression"
}

extension WaitCondition {
    /// Whether the condition has a text or an expression, for which case can be ignored.
    fileprivate var hasText: Bool {
        switch self {
        case .match, .screen, .title: true
        case .exit, .prompt, .idle: false
        }
    }
}

extension WaitOutcome {
    /// The exit status of a command that waited.
    var status: UInt8 {
        switch condition {
        case .exit: session.exit?.shellStatus ?? 255
        case .failMatch: VTError.Code.negative.status
        case .match, .prompt, .idle, .screen, .noScreen, .title, .together: 0
        }
    }

    /// The offset where the condition was met, and what is known about it; with `isNamed`, after the condition.
    func text(isNamed: Bool) -> String {
        let detail: String? =
            switch condition {
            case .exit: SessionText.state(session)
            case .match, .failMatch, .title: (line ?? "").sanitized
            case .prompt, .idle, .noScreen: nil
            case .screen, .together: row.flatMap { row in column.map { "\($0),\(row) \((line ?? "").sanitized)" } }
            }
        return (isNamed ? "\(condition.rawValue) " : "") + "\(offset)" + (detail.map { " \($0)" } ?? "")
    }
}
