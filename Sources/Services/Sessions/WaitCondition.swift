import Core
import Terminal

/// A condition to wait for.
package enum WaitCondition: Sendable {
    /// The end of the session.
    case exit
    /// A line, complete or not, that matches the expression as shown by a terminal; with `isFailure`, the line means
    /// that what the caller waited for has failed.
    case match(LinePattern, text: String, isFailure: Bool = false)
    /// A shell's prompt, as marked with OSC 133; without an offset, the current prompt also counts.
    case prompt
    /// No output for this duration; also satisfied by the end of the session.
    case idle(Duration)
    /// A text in a row of the current screen or, with `isAbsent`, in none of them.
    case screen(ScreenText, isAbsent: Bool = false)
    /// A text in the title of the window.
    case title(ScreenText)

    package enum Kind: String, CaseIterable, JSONReadable, Sendable {
        case exit, match
        case failMatch = "fail-match"
        case prompt, idle, screen
        case noScreen = "no-screen"
        case title
        /// All conditions, if they must be met at the same time.
        case together

        /// Whether the condition concerns what is shown now, not what has been written.
        package var concernsScreen: Bool { [.screen, .noScreen, .title].contains(self) }
    }

    package var kind: Kind {
        switch self {
        case .exit: .exit
        case .match(_, _, let isFailure): isFailure ? .failMatch : .match
        case .prompt: .prompt
        case .idle: .idle
        case .screen(_, let isAbsent): isAbsent ? .noScreen : .screen
        case .title: .title
        }
    }

    /// The condition with its text read as an expression, or without regard to case; a match is always an expression.
    ///
    /// - Throws: `usage` for an empty text or an invalid expression.
    package func with(isExpression: Bool, ignoresCase: Bool) throws(VTError) -> WaitCondition {
        func read(_ text: ScreenText) throws(VTError) -> ScreenText {
            try ScreenText(text.text, isExpression: isExpression, ignoresCase: ignoresCase)
        }
        switch self {
        case .match(let pattern, let text, let isFailure):
            guard pattern.ignoresCase != ignoresCase else { return self }
            return .match(try LinePattern(text, ignoresCase: ignoresCase), text: text, isFailure: isFailure)
        case .screen(let text, let isAbsent): return .screen(try read(text), isAbsent: isAbsent)
        case .title(let text): return .title(try read(text))
        case .exit, .prompt, .idle: return self
        }
    }

    /// The text that is looked for on the screen or in the title.
    package var screenText: ScreenText? {
        switch self {
        case .screen(let text, _), .title(let text): text
        case .exit, .match, .prompt, .idle: nil
        }
    }
}

/// A request to wait for the first of several conditions, or until all of them are met.
package struct WaitRequest: Sendable {
    package var conditions: [WaitCondition]
    /// Only output at or after this offset counts.
    ///
    /// Nil means the output since the last input for expressions, and the output from now on for the other conditions.
    package var start: UInt64?
    package var timeout: Duration?
    /// The timeout in messages, if `timeout` is only what is left of it.
    package var statedTimeout: Duration?
    /// Input that was sent at the start, and whose echo does not count.
    package var sent: [UInt8]?
    /// Whether to return the output after the echo of the input, up to where the condition was met.
    package var includesOutput = false
    /// The number of rows above the screen that belong to it.
    package var scrollback = 0
    /// How long the screen must not have changed when a condition on the screen, a match or a prompt counts.
    package var settle: Duration?
    /// Whether all conditions must be met at the same time.
    package var isTogether = false

    package init(_ conditions: [WaitCondition], from start: UInt64? = nil, timeout: Duration? = nil) {
        self.conditions = conditions
        self.start = start
        self.timeout = timeout
    }
}
