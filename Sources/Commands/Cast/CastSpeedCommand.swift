import Arguments
import Core
import Recording

/// Changes the speed of a recording: `vt cast speed FACTOR FILE`.
package struct CastSpeedCommand: Command {
    private static let idleLimit = Option(
        "idle-limit",
        .recordingTime,
        summary: "shorten pauses to this length, such as 2s or 500ms"
    )

    package static let spec = CommandSpec(
        ["cast", "speed"],
        summary: "change the speed of a recording, or shorten its pauses",
        description: [
            CastOptions.explanation,
            "All times are divided by FACTOR: 2 plays twice as fast, 0.5 half as fast. With --idle-limit, pauses "
                + "between events are first shortened permanently, and the idle limit in the header, which players "
                + "apply, is removed; without --idle-limit, the limit in the header is also divided by FACTOR.",
        ],
        operands: [OperandSpec("FACTOR"), CastOperand.file],
        options: [idleLimit] + CastOptions.all,
        examples: [
            ExampleSpec("vt cast speed 2 demo.cast -o fast.cast", "play twice as fast"),
            ExampleSpec("vt cast speed 1 demo.cast --idle-limit 2s", "shorten long pauses"),
        ],
        exitCodes: CastOptions.exitCodes
    )

    private let path: String
    private let factor: Double
    private let idleLimit: RecordingTime?
    private let options: CastOptions

    package init(_ arguments: ParsedArguments) throws(VTError) {
        factor = try arguments.operand("FACTOR", parse: ValueKind.factor(in: 0.0001...10_000).parse)
        path = try arguments.operand("FILE")
        idleLimit = try arguments[Self.idleLimit]
        options = try CastOptions(arguments)
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let file = try RecordingFile(opening: path, policy: options.policy, diagnostics: context.diagnostics)
        try await options.run([file], SpeedEdit(factor: factor, idleLimit: idleLimit), in: context)
        return 0
    }
}
