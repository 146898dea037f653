import Arguments
import Core
import Recording
import Services

/// Redacts secrets in a recording: `vt cast redact FILE`.
package enum CastRedactCommand: Command {
    private static let pattern = Option(
        "pattern",
        ValueKind("RE", parse: { text throws(VTError) in try LinePattern(text) }),
        summary: "replace matches of this POSIX extended regular expression (regex(7))"
    ).repeatable()
    private static let secrets = Option.flag("secrets", summary: "replace known kinds of secrets")
    private static let replace = Option(
        "replace",
        .text("CHAR"),
        default: "*",
        summary: "replace each cell with this character, which must be one cell wide"
    )

    package static let spec = CommandSpec(
        ["cast", "redact"],
        summary: "remove secrets from a recording",
        description: [
            "Replaces secrets in a recording: text that matches an expression, or that looks like a known kind of "
                + "secret, with one character per cell. Read a recording before you publish it: secrets of other "
                + "kinds are not found.",
            CastOperand.explanation,
            "# What is replaced",
            "Output, input, titles, links, the header, markers and all other events. A secret is also found if it is "
                + "split across events, partly colored, or drawn in pieces or with cursor movements. Times do not "
                + "change. Environment variables in the header are removed. Any run of 8 or more characters of a "
                + "secret is also replaced wherever else it appears.",
            "If anything was replaced, the result is scanned again before it is written: as bytes, as text, and as a "
                + "terminal shows it.",
            "# Known secrets",
            "--secrets finds tokens and keys by their issuer's prefix: AKIA (AWS), ghp_ (GitHub), glpat- (GitLab), "
                + "sk-ant- (Anthropic), AIza (Google) and about 300 others, as well as JSON Web Tokens and PEM "
                + "private keys. It finds other secrets by context, and replaces only the value: assignments to a "
                + "password, token, secret, key or cookie in shells and other languages, JSON, XML, YAML and SQL; "
                + "headers such as 'Authorization' and 'Cookie'; passwords in URLs; arguments such as '--token S', "
                + "'curl -u USER:S' and 'mysql -pS'; lines of .netrc and .pgpass; and input at a password prompt.",
            "# Limits",
            "A secret is found if it is wrapped in a pane or beside line numbers, as in vim, less and nano. It is not "
                + "found if the rows start with a mark that could be part of it, such as vim's 'showbreak=+++'. Lines "
                + "of a private key are found only if its first or last line is shown, too.",
        ],
        operands: [CastOperand.file],
        options: [pattern, secrets, replace] + CastResult.options + [CastOperand.lenient],
        examples: [
            ExampleSpec("vt cast redact demo.cast --secrets -o public.cast", "redact a recording before publishing it"),
            ExampleSpec(
                "vt cast redact a.cast --pattern 'db[0-9]+' --replace x | gzip >b.cast.gz",
                "redact host names"
            ),
        ],
        exitCodes: CastOptions.exitCodes + [.negative],
        statuses: [
            1: "a secret remains, and nothing was written"
        ]
    )

    package static func check(_ call: Call) throws(VTError) {
        _ = try plan(call)
        if let path = try CastResult(call).path { _ = try RecordingFormat(fileName: path) }
    }

    private static func plan(_ call: Call) throws(VTError) -> RedactionPlan {
        guard !call[pattern].isEmpty || call[secrets] else {
            throw VTError(.usage, "missing --secrets or --pattern", hint: "add --secrets or --pattern RE")
        }
        return try RedactionPlan(
            patterns: call[pattern],
            knownShapes: call[secrets],
            replacement: call[replace] ?? "*"
        )
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let plan = try Self.plan(call)
        let source = try RecordingFile(
            opening: call[CastOperand.file],
            policy: CastOperand.policy(call),
            isReadAgain: true,
            diagnostics: context.diagnostics
        )
        var report: RecordingRedactor.Report?
        try await CastResult(call).write(in: context) { write throws(VTError) in
            report = try RecordingRedactor(plan, context.diagnostics).redact(source, write)
        }
        if let report {
            let pieces = report.count == 1 ? "1 piece" : "\(report.count) pieces"
            let kinds = report.rules.joined(separator: ", ")
            context.diagnostics.note(
                report.count == 0
                    ? "\(source.name): nothing to replace" : "\(source.name): replaced \(pieces) of text (\(kinds))"
            )
        }
        return 0
    }
}
