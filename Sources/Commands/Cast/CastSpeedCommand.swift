import Arguments
import Core
import Recording

/// Changes the speed of a recording: `vt cast speed FACTOR FILE`.
package enum CastSpeedCommand: Command {
    private static let factor = Operand("FACTOR", parse: ValueKind<Double>.factor(in: 0.0001...10_000).parse)
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
        operands: [factor, CastOperand.file],
        options: [idleLimit] + CastOptions.all,
        examples: [
            ExampleSpec("vt cast speed 2 demo.cast -o fast.cast", "play twice as fast"),
            ExampleSpec("vt cast speed 1 demo.cast --idle-limit 2s", "shorten long pauses"),
        ],
        exitCodes: CastOptions.exitCodes
    )

    package static func check(_ call: Call) throws(VTError) {
        _ = try CastOptions(call)
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (path, options) = (call[CastOperand.file], try CastOptions(call))
        let file = try RecordingFile(opening: path, policy: options.policy, diagnostics: context.diagnostics)
        try await options.run([file], SpeedEdit(factor: call[factor], idleLimit: call[idleLimit]), in: context)
        return 0
    }
}
