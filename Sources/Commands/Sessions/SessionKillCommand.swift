import Arguments
import Core
import Services

/// Ends sessions: `vt sessions kill SESSION...`.
package struct SessionKillCommand: Command {
    package static let spec = CommandSpec(
        ["sessions", "kill"],
        summary: "end sessions and all that they started",
        description: [
            SessionOperand.explanation,
            "The program, its process group and everything else that was started in the session get HUP and TERM, and "
                + "KILL when they are still there after the grace. What does not end even then is listed, and the exit "
                + "status is 1. A holder that does not answer within 2 s is ended, too; the session is then lost, as nobody "
                + "is left who knows how its program ended. Of a lost session, what still runs is ended.",
            "A session that has ended already is no failure: it is said, and nothing else happens.",
            "With --signal only that signal is sent, to the same processes, and the session goes on if they do. A session "
                + "that has ended is a failure then.",
        ],
        operands: [SessionOperand.spec(.oneOrMore)],
        options: [
            OptionSpec("signal", value: ValueSpec("NAME"), summary: "only send this signal, such as INT or USR1"),
            OptionSpec(
                "grace",
                value: ValueSpec("DURATION", defaultText: "3s"),
                summary: "how long the processes may take to end by themselves"
            ),
        ],
        examples: [
            ExampleSpec("vt sessions kill build", "end a session"),
            ExampleSpec("vt sessions kill web:tail --signal INT", "interrupt a program on a server"),
        ],
        exitCodes: SessionOperand.exitCodes
    )

    private let references: [SessionReference]
    private let signal: SignalName?
    private let grace: Duration

    package init(_ arguments: ParsedArguments) throws(VTError) {
        references = try SessionOperand.references(arguments)
        signal = try arguments.value("signal") { text throws(VTError) in
            let name = SignalName(text.uppercased())
            guard name.number != nil else {
                throw VTError(.usage, "'\(text)' is not a signal", hint: "write a name: HUP, INT, TERM, KILL, USR1")
            }
            return name
        }
        grace = try arguments.value("grace") { text throws(VTError) in try Duration(parsing: text) } ?? .seconds(3)
    }

    /// More at a time would make each of them late.
    private static let parallel = 32

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let (signal, grace) = (signal, grace)
        let outcomes = await SessionOperand.forEach(references, in: context, parallel: Self.parallel) {
            site,
            reference throws(VTError) in
            try await site.kill(reference.session, signal: signal, grace: grace)
        }
        var documents: [Document] = []
        for (reference, outcome) in zip(references, outcomes) {
            guard case .success(let survivors) = outcome else { continue }
            for survivor in survivors {
                context.diagnostics.note("'\(reference.text)': process \(survivor) did not end")
            }
            documents.append(Document(session: reference.text, survivors: survivors))
        }
        if context.global.json { try context.output.json(documents) }
        try SessionOperand.check(outcomes, of: references, in: context)
        return documents.allSatisfy(\.survivors.isEmpty) ? 0 : ExitCode.negative.status
    }

    private struct Document: Encodable {
        let session: String
        /// As `PID NAME`.
        let survivors: [String]
    }
}
