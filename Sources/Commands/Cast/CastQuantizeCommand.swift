import Arguments
import Core
import Recording

/// Merges output events that are close in time: `vt cast quantize FILE`.
package enum CastQuantizeCommand: Command {
    private static let fps = Option(
        "fps",
        .number(in: 1...1000),
        excludes: [within],
        summary: "write at most N output events per second"
    )
    private static let within = Option("within", .recordingTime, summary: "merge output within this span, such as 50ms")

    package static let spec = CommandSpec(
        ["cast", "quantize"],
        summary: "merge output events that are close together",
        description: [
            CastOptions.explanation,
            "Output that follows other output within a time span is merged into it, and is therefore shown earlier, by "
                + "at most that span. This makes the file smaller and reduces the number of frames in images "
                + "rendered from it. Other events are unchanged.",
        ],
        operands: [CastOperand.file],
        options: [fps, within] + CastOptions.all,
        examples: [
            ExampleSpec(
                "vt cast quantize demo.cast --fps 30 -o small.cast",
                "limit a recording to 30 frames per second"
            )
        ],
        exitCodes: CastOptions.exitCodes
    )

    package static func check(_ call: Call) throws(VTError) {
        _ = try span(call)
        _ = try CastOptions(call)
    }

    private static func span(_ call: Call) throws(VTError) -> RecordingTime {
        let rate = call[fps].map { RecordingTime(microseconds: 1_000_000 / Int64($0)) }
        guard let span = call[within] ?? rate else {
            throw VTError(.usage, "missing --fps or --within", hint: "add --fps N or --within DURATION")
        }
        return span
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let options = try CastOptions(call)
        let path = call[CastOperand.file]
        let file = try RecordingFile(opening: path, policy: options.policy, diagnostics: context.diagnostics)
        try await options.run([file], QuantizeEdit(span: span(call)), in: context)
        return 0
    }
}
