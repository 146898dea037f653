import Arguments
import Core
import Services

/// Waits for conditions in sessions: `vt sessions wait SESSION...`.
package enum SessionWaitCommand: Command {
    private static let from = Option(
        "from",
        .offset,
        default: "the end of the input last sent",
        summary: "consider only output at or after this offset"
    )
    private static let timeout = Option("timeout", .duration, summary: "stop waiting after this time")
    private static let all = Option.flag(
        "all",
        excludes: [any],
        summary: "with several sessions, wait for all of them (default)"
    )
    private static let any = Option.flag(
        "any",
        summary: "with several sessions, wait until a condition is met in one of them"
    )

    package static let spec = CommandSpec(
        ["sessions", "wait"],
        summary: "wait for a line, a prompt, silence, or the end of a session",
        description: [
            "Waits until one of the given conditions is met in a session, and prints the offset where it was met. "
                + "With several conditions, the first to be met ends the wait, and its name is printed first.",
            SessionOperand.explanation,
            "# Lines",
            "--match and --fail-match wait for a line that matches a POSIX extended regular expression, and print the "
                + "offset of the end of the match, followed by the line. Without --from, the output since the last "
                + "'vt sessions send' by any client counts or, if nothing has been sent, all of it. The echo of that "
                + "input never matches. If several expressions match, the match that ends first wins.",
            "Lines are matched as a terminal of the session's size shows them, which is blank at the offset where the "
                + "wait starts: overwriting and erasing take effect, and wrapped rows are joined. A line is examined "
                + "when it is complete or about to be overwritten and, so that prompts match, when output pauses. $ "
                + "matches after the last character written to a line, including trailing spaces.",
            "In addition to regex(7), \\d, \\w, \\s, \\b and their opposites \\D, \\W, \\S, \\B have their usual "
                + "meaning; other letters after a backslash are rejected.",
            "# The end of the program",
            "--exit waits for the program to exit, and exits with its status. With several sessions, the exit status "
                + "is 0 if all programs exited with 0, and 1 otherwise, and each failure is reported.",
            "# Prompts",
            "--prompt waits until the shell waits for a line at its prompt, and prints the offset of the end of the "
                + "prompt. Without --from, a prompt that is already shown counts; one that is shown while the shell "
                + "has input to read does not, because a command follows.",
            "The shell must report its prompts with vt's hook (see 'vt help sessions create') or with OSC 133, as "
                + "fish 4 does. If a session has never marked a prompt and is silent for ten seconds, the exit status "
                + "is 1. While a shell with the hook is running a command, the marks of OSC 133 are those of another "
                + "shell, such as one on a server, or just output: such a prompt counts if a program waits for input "
                + "and there is no output for a second. With --json, 'command_exit' is the status of the last "
                + "command, if the shell reported it.",
            "# The screen",
            "--screen waits until TEXT is in a row of the screen, as 'vt sessions screen' prints it, and prints the "
                + "offset of the end of the output, the position of TEXT as COL,ROW, numbered from 0, and the row. "
                + "--no-screen waits until TEXT is in no row; --title, until it is in the title of the window. "
                + "Wrapped rows are joined, and rows above the screen (--scrollback) have negative numbers.",
            "These conditions concern what is shown now, not what was written: they are met at once if they are true, "
                + "and the echo of input counts. A text that is shown only for a moment in fast output can be missed. "
                + "With --regex, $ matches at the end of a row without its trailing blanks and, in the row with the "
                + "cursor, before the cursor.",
            "# Silence",
            "--idle waits until there has been no output for DURATION, or the session has ended. With --settle, any "
                + "condition counts only if the screen has then not changed for DURATION and still meets it; a match "
                + "may have left the screen. While a program updates the screen in one step (mode 2026), the screen "
                + "before the update counts.",
            "# Several sessions",
            "The result of each session begins with its name. The exit status is 0 if it would be for each of them, "
                + "and 1 if not. With --any, the first session in which a condition is met decides; a session that "
                + "ends without meeting one is a failure only if all of them do.",
        ],
        operands: [SessionOperand.sessions],
        options: WaitOptions.options + [from, timeout, any, all] + ConnectionOptions.options,
        commonOptions: [WaitOptions.exit, WaitOptions.match, WaitOptions.prompt, WaitOptions.screen, timeout],
        examples: [
            ExampleSpec("vt sessions wait build --exit", "wait for a build, and exit with its status"),
            ExampleSpec(
                "vt sessions wait web:app --match 'listening on [0-9]+' --from 0",
                "wait until a server is ready"
            ),
            ExampleSpec(
                "vt sessions wait build --match 'BUILD OK' --fail-match 'error:' --exit --timeout 10m",
                "wait until a build has succeeded, failed or ended"
            ),
            ExampleSpec("vt sessions wait --any web:app db:app --exit", "wait until one of two programs has ended"),
            ExampleSpec("vt sessions wait shell --prompt --timeout 5m", "wait until the shell is ready for a command"),
            ExampleSpec(
                "vt sessions wait editor --no-screen Loading --settle 200ms --timeout 10s",
                "wait until a program has finished loading, and its screen is complete"
            ),
            ExampleSpec("vt sessions wait shell --idle 2s --timeout 60s", "wait until the output pauses"),
        ],
        exitCodes: VTError.Code.ofHolders,
        statuses: [
            0: "a condition is met",
            1: "a line matches --fail-match, or the session ended without meeting a condition",
        ],
        passesStatusThroughWith: [WaitOptions.exit]
    )

    package static var documents: [DocumentSpec] {
        [.lines(WaitDocument.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        let conditions = try conditions(call)
        guard call.contains(from) else { return }
        let count = SessionOperand.references(call).count
        guard count == 1 else {
            throw VTError(.usage, "--from can be used with only one session, not \(count)")
        }
        guard conditions.map(\.kind) != [.exit] else {
            throw VTError(.usage, "options '--exit' and '--from' cannot be used together")
        }
        guard !conditions.allSatisfy(\.kind.concernsScreen) else {
            throw VTError(.usage, "--from does not concern the screen, which is searched as it is now")
        }
    }

    private static func conditions(_ call: Call) throws(VTError) -> [WaitCondition] {
        guard let conditions = try WaitOptions.conditions(call) else {
            throw VTError(
                .usage,
                "missing --exit, --match, --screen, --prompt or --idle",
                hint: "see 'vt help sessions wait'"
            )
        }
        return conditions
    }

    private static func request(_ call: Call) throws(VTError) -> WaitRequest {
        var request = WaitRequest(try conditions(call), from: call[from], timeout: call[timeout])
        request.scrollback = call[WaitOptions.scrollback] ?? 0
        (request.settle, request.isTogether) = (call[WaitOptions.settle], call[WaitOptions.together])
        return request
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let references = SessionOperand.references(call)
        let waitsForAny = call[Self.any]
        let request = try request(call)
        let outcomes = await SessionOperand.forEach(references, in: context, untilSuccess: waitsForAny) {
            client,
            reference throws(VTError) in
            try await client.wait(request, of: reference.session)
        }
        var status: UInt8 = 0
        for (reference, outcome) in zip(references, outcomes) {
            guard case .success(let found) = outcome else { continue }
            try show(found, of: reference, request.conditions, call, in: context)
            guard found.status != 0 else { continue }
            let isOnly = references.count == 1 || waitsForAny
            status = isOnly ? found.status : VTError.Code.negative.status
            if !isOnly, found.condition == .exit {
                context.diagnostics.note("'\(reference.text)' \(text(of: found))")
            }
        }
        if waitsForAny, outcomes.contains(where: { $0.failure == nil }) {
            for error in outcomes.compactMap(\.failure) where !error.isCancellation {
                context.diagnostics.note(error.message)
            }
        } else {
            try context.check(outcomes, named: references.map(\.text))
        }
        return .status(status)
    }

    /// Describes how a failed program ended.
    private static func text(of found: WaitOutcome) -> String {
        switch found.session.exit {
        case .exited(let code): "ended with status \(code)"
        case .signalled(let signal, _): "was terminated by signal \(signal.text)"
        case .unknown: "ended without a status"
        case nil: "has not ended"
        }
    }

    private static func show(
        _ found: WaitOutcome,
        of reference: SessionReference,
        _ conditions: [WaitCondition],
        _ call: Call,
        in context: Context
    ) throws(VTError) {
        if context.global.json {
            return try context.output.jsonLine(WaitDocument(outcome: found, profile: reference.profile))
        }
        guard call[Self.any] || conditions.map(\.kind) != [.exit] else { return }
        let name = SessionOperand.references(call).count > 1 ? "\(reference.text): " : ""
        let isNamed = conditions.count > 1 && found.condition != .together || found.condition == .exit
        let text = found.text(isNamed: isNamed)
        try context.output.text(name + text)
    }
}
