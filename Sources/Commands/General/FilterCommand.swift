import Arguments
import Core
import Terminal

/// Removes escape sequences from standard input: `vt filter RULE...`.
package enum FilterCommand: Command {
    /// The sentences about the rules, for the description of each command that has them.
    private static let explanation =
        "The rule 'strip' removes all escape sequences; 'strip-bg' removes background colors, and keeps all other "
        + "colors and attributes; 'strip-decline' removes the DEC line attributes (double height and width) and the "
        + "screen alignment pattern, ESC # 3 to ESC # 8; and 'strip-sync' removes the start and end of synchronized "
        + "output (mode 2026). All other bytes are unchanged."

    private static let rules = Operand(
        "RULE",
        choices: OutputFilter.Rule.allCases.map(\.rawValue),
        parse: ValueKind.choice("RULE", OutputFilter.Rule.allCases).parse
    ).list(.oneOrMore)

    package static let spec = CommandSpec(
        ["filter"],
        summary: "remove escape sequences from standard input",
        description: [
            "Copies standard input to standard output, and removes the sequences that the rules apply to. "
                + explanation,
            "An incomplete sequence is held back until it ends, so the result does not depend on how the input is "
                + "divided into reads. To print the text that a terminal would show, use 'vt sessions logs --plain' or "
                + "'vt cast convert --format txt'.",
        ],
        operands: [rules],
        examples: [
            ExampleSpec("make 2>&1 | vt filter strip >build.log", "keep a log without escape sequences"),
            ExampleSpec("vt exec web 'ls --color' | vt filter strip-bg", "remove the background colors"),
        ]
    )

    package static func endsWithReader(_ call: Call) -> Bool { true }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        try context.console.input.checkIsReadable()
        let input = context.console.input.source()
        let output = context.queues.output()
        var filter = OutputFilter(call[rules])
        while let bytes = try await input.read() {
            let rest = filter.filter(bytes)
            if !rest.isEmpty { try await output.write(rest) }
        }
        let rest = filter.finish()
        if !rest.isEmpty { try await output.write(rest) }
        return 0
    }
}
