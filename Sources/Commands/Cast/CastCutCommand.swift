import Arguments
import Core
import Recording

/// Keeps or removes a part of a recording: `vt cast cut FILE`.
package enum CastCutCommand: Command {
    private static let from = Option("from", .position, summary: "start of the part; the default is the beginning")
    private static let to = Option("to", .position, summary: "end of the part; the default is the end of the recording")
    private static let turn = Option(
        "turn",
        .turn,
        excludes: [from, to],
        summary: "extract or remove this turn: the part from turn:N to turn-end:N",
        details:
            "N is the number of a command in the shell of the recorded session; -1 is the last one in the recording."
    )
    private static let remove = Option.flag("remove", summary: "remove the part and keep the rest")

    package static let spec = CommandSpec(
        ["cast", "cut"],
        summary: "extract or remove part of a recording",
        description: [
            CastOptions.explanation,
            "The part starts with the first event at or after --from, and ends before the first event at or after "
                + "--to. The parts before and after a position therefore add up to the whole recording. A part that "
                + "does not start at the beginning starts with an event that draws the screen as it was at that "
                + "point.",
            CastOperand.positions,
        ],
        operands: [CastOperand.file],
        options: [from, to, turn, remove] + CastOptions.all,
        examples: [
            ExampleSpec("vt cast cut demo.cast --from 1:20 --to -5 -o part.cast", "drop the beginning and the end"),
            ExampleSpec("vt cast cut demo.cast --from marker:login --to marker:build --remove", "remove a section"),
            ExampleSpec("vt cast cut demo.cast --to 50% | vt cast speed 2 -", "play the first half twice as fast"),
        ],
        exitCodes: CastOptions.exitCodes
    )

    package static func check(_ call: Call) throws(VTError) {
        guard call.contains(from) || call.contains(to) || call.contains(turn) else {
            throw VTError(.usage, "missing --from or --to", hint: "add --from POSITION, --to POSITION, or both")
        }
        _ = try CastOptions(call)
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let options = try CastOptions(call)
        let start = call[turn].map(RecordingPosition.turn) ?? call[from]
        let end = call[turn].map(RecordingPosition.turnEnd) ?? call[to]
        let file = try RecordingFile(
            opening: call[CastOperand.file],
            policy: options.policy,
            isReadAgain: [start, end].contains { $0?.needsSurvey == true },
            diagnostics: context.diagnostics
        )
        let (first, last) = try file.points(from: start, to: end)
        try await options.run([file], CutEdit(from: first, to: last, removes: call[remove]), in: context)
        return 0
    }
}
