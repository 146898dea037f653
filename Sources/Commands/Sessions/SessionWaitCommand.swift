import CommandLine
import Core
import Services

/// Waits for something of sessions: `vt sessions wait SESSION...`.
package struct SessionWaitCommand: Command {
    package static let spec = CommandSpec(
        ["sessions", "wait"],
        summary: "wait for a session's end, a line, or silence",
        description: [
            SessionOperand.explanation,
            "With --exit it ends as the session's program does: the exit status is the program's, 128+n when signal n "
                + "ended it, and 255 when vt failed, time ran out, or the end is unknown; with several sessions 0 if all "
                + "were 0, else 1.",
            "With --match it ends when a line of the output matches the POSIX extended regular expression, and prints "
                + "the offset behind the match and the line. Escape sequences are taken out before; a line that has not "
                + "ended, such as a prompt, is looked at as far as it is there. Only output from --from on counts, "
                + "without it what comes from now on. A session that ends before is a negative answer.",
            "With --idle it ends when there was no output for so long, or the session has ended, and prints the offset.",
        ],
        operands: [SessionOperand.spec(.oneOrMore)],
        options: [
            OptionSpec("exit", excludes: ["match", "idle"], summary: "wait for the end and pass its status through"),
            OptionSpec(
                "match",
                value: ValueSpec("EXPRESSION"),
                excludes: ["idle"],
                summary: "wait for a line that this matches"
            ),
            OptionSpec("idle", value: ValueSpec("DURATION"), summary: "wait until there is no output for so long"),
            OptionSpec(
                "from",
                value: ValueSpec("OFFSET", defaultText: "the end of the output now"),
                excludes: ["exit"],
                summary: "look at the output from this offset on"
            ),
            OptionSpec("until-eof", summary: "give up when standard input ends"),
            OptionSpec("timeout", value: ValueSpec("DURATION"), summary: "give up after this time"),
        ],
        examples: [
            ExampleSpec("vt sessions wait build --exit", "end as the build does"),
            ExampleSpec("vt sessions wait web:app --match 'listening on [0-9]+' --from 0", "wait until it is ready"),
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
        let pattern = try arguments.value("match") { text throws(VTError) in (try LinePattern(text), text) }
        let idle = try arguments.value("idle") { text throws(VTError) in try Duration(parsing: text) }
        if let pattern {
            condition = .match(pattern.0, text: pattern.1)
        } else if let idle {
            condition = .idle(idle)
        } else if arguments.flag("exit") {
            condition = .exit
        } else {
            throw VTError(.usage, "nothing says what to wait for", hint: "add --exit, --match or --idle")
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

    private func show(_ found: WaitOutcome, of reference: SessionReference, in context: Context) throws(VTError) {
        if context.global.json {
            try context.output.jsonLine(WaitDocument(found, profile: reference.profile))
            return
        }
        switch condition {
        case .exit: break
        case .match: try context.output.text("\(found.offset) \((found.line ?? "").sanitized)")
        case .idle: try context.output.text(String(found.offset))
        }
    }
}
