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
            SessionOperand.explanation,
            "Waits until the first of the given conditions is met or, with --together, until all of them are met at the "
                + "same time. The exit status is 0, except that it is 1 if a line "
                + "matched --fail-match, and that of the program if the program exited, with --exit. With one "
                + "condition, prints the offset where it was met, and the line for --match. With several, first prints "
                + "which one it was: exit, match, fail-match, prompt, idle, screen, no-screen or title. If several "
                + "expressions match, the match that ends first wins.",
            "With several sessions, each result begins with the name of the session. With --any, the first session in "
                + "which a condition is met decides the exit status, and a session that ends without meeting a condition is a "
                + "failure only if all of them end that way. Otherwise, the exit status is 0 if it would be for each of them, and 1 if "
                + "not.",
            "With --exit, waits for the session's program to exit, and exits with its status, 128+n if signal n "
                + "terminated it, 124 if --timeout expired, and 255 if vt failed or the status is unknown. With "
                + "several sessions, the exit status is 0 if all programs exited with 0, and 1 otherwise, and each "
                + "failure is reported.",
            "With --match and --fail-match, waits for a line that matches a POSIX extended regular expression, and "
                + "prints the offset of the end of the match, followed by the line. Lines are matched as a terminal of the session's size "
                + "would show them, starting with a blank screen at the offset where the wait starts: overwriting and "
                + "erasing take effect, and wrapped rows are joined. Each line is examined when it is complete or "
                + "about to be overwritten. When output pauses, the current screen is also examined, so that prompts "
                + "match. $ matches after the last character written to a line, including trailing spaces. Only output "
                + "at or after the --from offset is considered; the default is the output since the last 'vt sessions "
                + "send' by any client, or since the start of the session if nothing has been sent. The echo of that "
                + "input does not match, also if its offset is given with --from. If the session "
                + "ends first, the exit status is 1. In addition to regex(7), \\d, \\w, \\s, \\b and their opposites "
                + "\\D, \\W, \\S, \\B have their usual meaning; other letters after a backslash are rejected.",
            "With --prompt, waits until the shell waits for a line at its prompt, and prints the offset of the end of the "
                + "prompt. A prompt that is shown while the shell has input to read does not count: a command follows. "
                + "Without --from, a prompt that is already shown counts. The shell must report its prompts with "
                + "vt's hook (see 'vt help sessions create') or with OSC 133, as fish 4 does by default; if a session has "
                + "never marked a prompt and is silent for ten seconds, the exit status is 1. While a shell with the hook "
                + "is running a command, the marks of OSC 133 are those of another shell, such as one on a server, or just "
                + "output: such a prompt counts if a program waits for input and there is no output for a second.",
            "With --json, 'command_exit' is the exit status of the last command, if the shell reported it with the "
                + "mark D. A prompt with a start mark (A) but no end mark (B) also counts if no output follows for a "
                + "moment.",
            "With --screen, waits until TEXT is in a row of the screen, as 'vt sessions screen' prints it, and prints the "
                + "offset of the end of the output, the position of TEXT as COL,ROW, numbered from 0 as for --click of "
                + "'vt sessions send', and the row. Rows that wrap are joined. With --no-screen, waits until TEXT is in no "
                + "row, and prints the offset; with --title, until TEXT is in the title of the window, and prints the "
                + "offset and the title. These conditions concern what is shown now, not what was written: they are met "
                + "at once if they are true, and the echo of input counts. A text that is shown only for a moment in fast "
                + "output can be missed. With --regex, $ matches at the end of a row without its trailing blanks and, in "
                + "the row with the cursor, before the cursor. Rows above the screen (--scrollback) have negative numbers.",
            "With --settle, a condition counts only if the screen has then not changed for DURATION and still meets it; "
                + "a match may have left the screen. While a program updates the screen in one step (mode 2026), the "
                + "screen before the update counts.",
            "With --idle, waits until there has been no output for DURATION, or the session has ended, and prints "
                + "the offset of the end of the output.",
        ],
        operands: [SessionOperand.sessions],
        options: WaitOptions.options + [from, timeout, any, all] + ConnectionOptions.options,
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
        files: FileSpec.ofSessions,
        exitCodes: VTError.Code.ofHolders,
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
