import Core
import Terminal

/// Waits until the first of the conditions is met; then passes on the output, if the request includes it.
///
/// Errors: `negative` when the session ends before a condition is met, or is lost; `timed-out`.
extension WaitRequest: SessionVerb {
    package var callName: String { "wait" }

    /// Without any conditions, the condition is the end of the session.
    ///
    /// The end of the session and further expressions, which earlier versions reject, are written only if necessary.
    package static let arguments: JSONTable<Self> = [
        .member(
            "match",
            get: { $0.expressions().first },
            set: { expression, request throws(JSONValueError) in try request.add([expression]) }
        ),
        .member(
            "more_matches",
            get: { $0.expressions().count > 1 ? Array($0.expressions().dropFirst()) : nil },
            set: { expressions, request throws(JSONValueError) in try request.add(expressions) }
        ),
        .member(
            "fail_matches",
            get: { $0.has(.failMatch) ? $0.expressions(isFailure: true) : nil },
            set: { expressions, request throws(JSONValueError) in try request.add(expressions, isFailure: true) }
        ),
        .member(
            ignoreCase,
            get: { $0.ignoresCase ? true : nil },
            set: { _, _ in }
        ),
        .member(
            "exit",
            get: { $0.conditions.count > 1 && $0.has(.exit) ? true : nil },
            set: { if $0 { $1.conditions.append(.exit) } }
        ),
        .member(
            "prompt",
            get: { $0.has(.prompt) ? true : nil },
            set: { if $0 { $1.conditions.append(.prompt) } }
        ),
        .member(
            "idle_ms",
            get: { $0.conditions.lazy.compactMap { if case .idle(let duration) = $0 { duration } else { nil } }.first },
            set: { $1.conditions.append(.idle($0)) }
        ),
        .member(
            "screen",
            get: { $0.screenTexts(.screen) },
            set: { $1.add($0) { .screen($0) } }
        ),
        .member(
            "no_screen",
            get: { $0.screenTexts(.noScreen) },
            set: { $1.add($0) { .screen($0, isAbsent: true) } }
        ),
        .member("title", get: { $0.screenTexts(.title) }, set: { $1.add($0) { .title($0) } }),
        .member(isExpression, get: { $0.hasScreenExpression ? true : nil }, set: { _, _ in }),
        .member("scrollback", \.scrollback, usual: 0),
        .member("settle_ms", \.settle),
        .member("together", \.isTogether, usual: false),
        .member("from", \.start),
        .member("timeout_ms", \.timeout),
        .member("sent", get: { $0.sent == nil ? nil : true }, set: { $1.sent = $0 ? [] : nil }),
        .member("output", \.includesOutput, usual: false),
    ]

    private static let ignoreCase = "ignore_case"
    private static let isExpression = "regex"

    private func has(_ kind: WaitCondition.Kind) -> Bool { conditions.contains { $0.kind == kind } }

    private var ignoresCase: Bool {
        conditions.contains {
            if case .match(let pattern, _, _) = $0 { pattern.ignoresCase } else { $0.screenText?.ignoresCase ?? false }
        }
    }

    private var hasScreenExpression: Bool { conditions.contains { $0.screenText?.isExpression ?? false } }

    private func screenTexts(_ kind: WaitCondition.Kind) -> [String]? {
        let texts = conditions.filter { $0.kind == kind }.compactMap { $0.screenText?.text }
        return texts.isEmpty ? nil : texts
    }

    private mutating func add(_ texts: [String], as condition: (ScreenText) -> WaitCondition) {
        conditions += texts.map { condition(.literal($0)) }
    }

    private func expressions(isFailure wanted: Bool = false) -> [String] {
        conditions.compactMap { condition in
            guard case .match(_, let text, let isFailure) = condition, isFailure == wanted else { return nil }
            return text
        }
    }

    private mutating func add(_ expressions: [String], isFailure: Bool = false) throws(JSONValueError) {
        conditions += try expressions.map { text throws(JSONValueError) in
            guard let pattern = try? LinePattern(text) else { throw JSONValueError(line: 1) }
            return .match(pattern, text: text, isFailure: isFailure)
        }
    }

    /// The input that was sent.
    package var data: [UInt8] { sent ?? [] }

    package mutating func complete(_ data: [UInt8], _ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        if sent != nil { sent = data }
        let ignoresCase = try json.optional(Self.ignoreCase, in: document) ?? false
        let isExpression = try json.optional(Self.isExpression, in: document) ?? false
        do throws(VTError) {
            conditions = try conditions.map { condition throws(VTError) in
                try condition.with(isExpression: isExpression, ignoresCase: ignoresCase)
            }
        } catch {
            throw JSONValueError(line: 1)
        }
        if conditions.isEmpty { conditions = [.exit] }
    }

    package var isShort: Bool { false }
    package var workLimit: Duration? { nil }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        let outcome = try await sessions.wait(self, of: session, receiver: answer, onStart: answer.start)
        try await answer.send([outcome.session])
        try await answer.send(outcome, WaitOutcome.members)
    }

    /// The time that the wait took is measured by the caller.
    package func outcome(in result: [SessionFrame]) throws(VTError) -> WaitOutcome {
        // An earlier version does not report the condition, but also does not support several.
        let condition = conditions.first?.kind ?? .exit
        var outcome = WaitOutcome(try result.session(), condition, offset: 0, elapsed: .zero)
        try result.read(WaitOutcome.members, into: &outcome)
        return outcome
    }
}

extension WaitOutcome {
    fileprivate static let members: JSONTable<Self> = [
        .member("condition", get: { $0.condition }, set: { $1.condition = $0 }),
        .member("offset", get: { $0.offset }, set: { $1.offset = $0 }),
        .member("expression", \.expression),
        .member("match", \.match),
        .member("line", \.line),
        .member("row", \.row),
        .member("column", \.column),
        .member("width", \.width),
        .member("text", \.text),
        .member("command_exit", \.commandExit),
        .member(
            "output_from",
            get: { $0.output?.lowerBound },
            set: { start, outcome in outcome.output = start..<max(start, outcome.output?.upperBound ?? start) }
        ),
        .member(
            "output_to",
            get: { $0.output?.upperBound },
            set: { end, outcome in outcome.output = min(end, outcome.output?.lowerBound ?? end)..<end }
        ),
    ]
}
