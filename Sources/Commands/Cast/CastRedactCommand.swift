import Arguments
import Core
import Recording
import Services

/// Takes secrets out of a recording: `vt cast redact FILE`.
package struct CastRedactCommand: Command {
    package static let spec = CommandSpec(
        ["cast", "redact"],
        summary: "take secrets out of a recording",
        description: [
            "Replaces what matches an expression, or has the shape of a known secret, by as many characters as it takes "
                + "cells: in output and input, in titles and links, in the header, in markers and what else there is. A "
                + "secret is found also when it is split over events, when a part of it is coloured, and when it was "
                + "painted in pieces or with movements of the cursor. All times stay.",
            CastOperand.explanation + " The result is of the same version, v3 for version 1, and is not compressed.",
            "When something was replaced, the result is read again before any of it is written: as bytes, as text, and as a "
                + "terminal shows it. When a secret is left nothing is written and the exit status is 1.",
            "--secrets finds tokens and keys by the mark that their issuer gives them: AKIA of AWS, ghp_ of GitHub, glpat- "
                + "of GitLab, sk-ant- of Anthropic, AIza of Google, and some 300 more, JSON Web Tokens, and private keys in "
                + "PEM. It finds other secrets by their place: values that are assigned to a password, token, secret, key "
                + "or cookie in shells and other languages, JSON, XML, YAML and SQL; the headers 'Authorization', 'Cookie' "
                + "and the like; passwords in URLs; arguments such as '--token S', 'curl -u USER:S' and 'mysql -pS'; lines "
                + "of .netrc and .pgpass; and what is typed at a prompt for a password. There the value alone is replaced.",
            "Every run of 8 or more characters of a secret that was found is replaced wherever else it is shown.",
        ],
        operands: [CastOperand.file],
        options: [
            OptionSpec(
                "pattern",
                value: ValueSpec("RE"),
                isRepeatable: true,
                summary: "replace what matches this POSIX extended regular expression (regex(7))"
            ),
            OptionSpec("secrets", summary: "replace what has the shape of a known secret"),
            OptionSpec(
                "replace",
                value: ValueSpec("CHAR", defaultText: "*"),
                summary: "put this character, which takes one cell, in the place of each cell"
            ),
        ] + CastOptions.output + [CastOperand.lenient],
        examples: [
            ExampleSpec("vt cast redact demo.cast --secrets -o public.cast", "before it is shown to anybody"),
            ExampleSpec("vt cast redact a.cast --pattern 'db[0-9]+' --replace x | gzip >b.cast.gz", "take out names"),
        ],
        exitCodes: CastOptions.exitCodes + [.negative]
    )

    private let file: String
    private let plan: RedactionPlan
    private let policy: RecordingPolicy
    private let result: CastResult

    package init(_ arguments: ParsedArguments) throws(VTError) {
        file = try arguments.operand("FILE")
        let patterns = try arguments.values("pattern") { text throws(VTError) in try LinePattern(text) }
        guard !patterns.isEmpty || arguments.flag("secrets") else {
            throw VTError(.usage, "nothing says what to take out", hint: "add --secrets or --pattern RE")
        }
        plan = try RedactionPlan(
            patterns: patterns,
            knownShapes: arguments.flag("secrets"),
            replacement: arguments.value("replace") ?? "*"
        )
        policy = CastOperand.policy(arguments)
        result = try CastResult(arguments)
        if let path = result.path { _ = try RecordingFormat(fileName: path) }
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let source = try CastSource(file, policy: policy, context.diagnostics)
        var report: CastRedactor.Report?
        try await result.write(in: context) { write throws(VTError) in
            report = try CastRedactor(plan, context.diagnostics).redact(source, write)
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
