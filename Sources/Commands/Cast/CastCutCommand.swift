import Arguments
import Core
import Recording
import Services

/// Keeps or removes a part of a recording: `vt cast cut FILE`.
package struct CastCutCommand: Command {
    package static let spec = CommandSpec(
        ["cast", "cut"],
        summary: "keep or remove a part of a recording",
        description: [
            CastOptions.explanation,
            "The part begins with the first event at --from or after it, and ends before the first event at --to or "
                + "after it, so that the parts before and after a position make up the whole. What was on the screen "
                + "behind what is left out is brought along: the first event of a part is the picture that it begins "
                + "with.",
            CastOperand.positions,
        ],
        operands: [CastOperand.file],
        options: [
            OptionSpec("from", value: ValueSpec("POSITION"), summary: "where the part begins; else at the beginning"),
            OptionSpec("to", value: ValueSpec("POSITION"), summary: "where the part ends; else at the end"),
            OptionSpec("remove", summary: "leave the part out, and keep the rest"),
        ] + CastOptions.all,
        examples: [
            ExampleSpec("vt cast cut demo.cast --from 1:20 --to -5 -o part.cast", "without the beginning and the end"),
            ExampleSpec("vt cast cut demo.cast --from marker:login --to marker:build --remove", "take a section out"),
            ExampleSpec("vt cast cut demo.cast --to 50% | vt cast speed 2 -", "the first half, twice as fast"),
        ],
        exitCodes: CastOptions.exitCodes
    )

    private let path: String
    private let range: RecordingRange
    private let removes: Bool
    private let options: CastOptions

    package init(_ arguments: ParsedArguments) throws(VTError) {
        path = try arguments.operand("FILE")
        let start = try arguments.value("from", parse: CastOperand.position)
        let end = try arguments.value("to", parse: CastOperand.position)
        guard start != nil || end != nil else {
            throw VTError(.usage, "nothing says what to cut", hint: "add --from POSITION or --to POSITION")
        }
        range = RecordingRange(from: start, to: end)
        removes = arguments.flag("remove")
        options = try CastOptions(arguments)
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let file = try RecordingFile(opening: path, policy: options.policy, isReadAgain: range.needsSurvey)
        let (start, end) = try range.points(in: file)
        try await options.run([file], CutEdit(from: start, to: end, removes: removes), in: context)
        return 0
    }
}
