import Arguments
import Core
import Services

/// Waits for something of sessions: `vt sessions wait SESSION...`.
package struct SessionWaitCommand: Command {
    package static let spec = CommandSpec(
        ["sessions", "wait"],
        summary: "wait for a session's end, a line, a prompt, or silence",
        description: [
            SessionOperand.explanation,
            "With --exit it ends as the session's program does: the exit status is the program's, 128+n when signal n "
                + "ended it, and 255 when vt failed, time ran out, or the end is unknown; with several sessions 0 if all "
                + "were 0, else 1, and each that failed is named.",
            "With --match it ends when a line matches the POSIX extended regular expression, and prints the offset behind "
                + "the match and the line. Lines are looked at as a terminal of the session's size shows them, blank at "
                + "the offset at which the wait begins: painted, overwritten, erased and joined where they wrapped. Each "
                + "line is looked at when it is finished or about to be overwritten, and what the screen shows when no "
                + "more output is there: so a prompt is seen, too. Its end ($) is behind its last character, and behind "
                + "spaces that were written there. With --raw the bytes are looked at instead, without escape sequences. "
                + "Only output from --from on counts, without it what came since the last 'vt sessions send' of anybody, or "
                + "since the session's begin when nothing was sent. A session that ends before is a negative answer. "
                + "Besides what regex(7) describes, \\d, \\w, \\s, \\b and their opposites \\D, \\W, \\S, \\B have their "
                + "usual meaning; other letters behind a backslash are refused.",
            "With --prompt it ends when the shell shows its prompt, and prints the offset behind that. Without --from a "
                + "prompt at which the session stands already counts. The shell has to mark its prompts (OSC 133), as "
                + "fish 4 does by itself; a session that has never marked one and is silent for ten seconds is a "
                + "negative answer. At the end of ~/.bashrc these two lines "
                + "do it for bash:",
            "    PROMPT_COMMAND='printf \"\\e]133;D;$?\\a\"'",
            "    PS1=\"\\[\\e]133;A\\a\\]$PS1\\[\\e]133;B\\a\\]\" PS0='\\e]133;C\\a'",
            "With --json 'command_exit' is then the status of the last command, where the shell told it (D). A prompt that "
                + "begins (A) counts as complete without B, too, when nothing comes after it for a moment.",
            "With --idle it ends when there was no output for so long, or the session has ended, and prints the offset.",
        ],
        operands: [SessionOperand.spec(.oneOrMore)],
        options: [
            OptionSpec(
                "exit",
                excludes: ["match", "prompt", "idle"],
                summary: "wait for the end and pass its status through"
            ),
            OptionSpec(
                "match",
                value: ValueSpec("EXPRESSION"),
                excludes: ["prompt", "idle"],
                summary: "wait for a line that this matches"
            ),
            OptionSpec(
                "ignore-case",
                short: "i",
                excludes: ["exit", "prompt", "idle"],
                summary: "match without regard to upper and lower case"
            ),
            OptionSpec(
                "raw",
                excludes: ["exit", "prompt", "idle"],
                summary: "match the bytes as they were written, without escape sequences"
            ),
            OptionSpec("prompt", excludes: ["idle"], summary: "wait for the prompt of a shell that marks it (OSC 133)"),
            OptionSpec("idle", value: ValueSpec("DURATION"), summary: "wait until there is no output for so long"),
            OptionSpec(
                "from",
                value: ValueSpec("OFFSET", defaultText: "see above"),
                excludes: ["exit"],
                summary: "look at the output from this offset on"
            ),
            OptionSpec("until-eof", summary: "give up when standard input ends"),
            OptionSpec("timeout", value: ValueSpec("DURATION"), summary: "give up after this time"),
        ],
        examples: [
            ExampleSpec("vt sessions wait build --exit", "end as the build does"),
            ExampleSpec("vt sessions wait web:app --match 'listening on [0-9]+' --from 0", "wait until it is ready"),
            ExampleSpec("vt sessions wait shell --prompt --timeout 5m", "wait until the shell can take a command"),
            ExampleSpec("vt sessions wait shell --idle 2s --timeout 60s", "wait until it settles"),
        ],
        exitCodes: SessionOperand.exitCodes + [.timedOut],
        passesStatusThroughWith: ["exit"]
    )

    private let references: [SessionReference]
    private let condition: WaitCondition
    private let offset: UInt64?
    private let timeout: Duration?
    private let endsWithInput: Bool

    package init(_ arguments: ParsedArguments) throws(VTError) {
        references = try SessionOperand.references(arguments)
        let pattern = try arguments.value("match") { text throws(VTError) in
            (try LinePattern(text, ignoresCase: arguments.flag("ignore-case")), text)
        }
        let idle = try arguments.value("idle") { text throws(VTError) in try Duration(parsing: text) }
        if let pattern {
            condition = .match(pattern.0, text: pattern.1, isRaw: arguments.flag("raw"))
        } else if arguments.flag("prompt") {
            condition = .prompt
        } else if let idle {
            condition = .idle(idle)
        } else if arguments.flag("exit") {
            condition = .exit
        } else {
            throw VTError(.usage, "nothing says what to wait for", hint: "add --exit, --match, --prompt or --idle")
        }
        offset = try arguments.value("from") { text throws(VTError) in try SessionOffset.parse(text) }
        guard offset == nil || references.count == 1 else {
            throw VTError(.usage, "--from is an offset of one session, but \(references.count) are named")
        }
        timeout = try arguments.value("timeout") { text throws(VTError) in try Duration(parsing: text) }
        endsWithInput = arguments.flag("until-eof")
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let outcomes = try await InputEnd.ending(when: endsWithInput) {
            () async throws(VTError) -> [Result<WaitOutcome, VTError>] in
            await self.outcomes(in: context)
        }
        var status: UInt8 = 0
        for (reference, outcome) in zip(references, outcomes) {
            guard case .success(let found) = outcome else { continue }
            try show(found, of: reference, in: context)
            guard case .exit = condition, let exit = found.exit?.shellStatus, exit != 0 else { continue }
            status = references.count == 1 ? exit : ExitCode.negative.status
            if references.count > 1 { context.diagnostics.note("'\(reference.text)' \(Self.text(of: found))") }
        }
        try SessionOperand.check(outcomes, of: references, in: context)
        return status
    }

    private func outcomes(in context: Context) async -> [Result<WaitOutcome, VTError>] {
        let (condition, offset, timeout) = (condition, offset, timeout)
        return await SessionOperand.forEach(references, in: context) { site, reference throws(VTError) in
            try await site.wait(for: condition, of: reference.session, from: offset, timeout: timeout)
        }
    }

    /// How a program ended that failed.
    private static func text(of found: WaitOutcome) -> String {
        switch found.exit {
        case .exited(let code): "ended with status \(code)"
        case .signalled(let signal, _): "was ended by signal \(signal.text)"
        case nil: "has not ended"
        }
    }

    private func show(_ found: WaitOutcome, of reference: SessionReference, in context: Context) throws(VTError) {
        if context.global.json {
            try context.output.jsonLine(WaitDocument(found, profile: reference.profile))
            return
        }
        switch condition {
        case .exit: break
        case .match: try context.output.text("\(found.offset) \((found.line ?? "").sanitized)")
        case .prompt, .idle: try context.output.text(String(found.offset))
        }
    }
}
