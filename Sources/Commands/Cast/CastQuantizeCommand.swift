import Arguments
import Core
import Recording

/// Merges output events that are close in time: `vt cast quantize FILE`.
package struct CastQuantizeCommand: Command {
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

    private let path: String
    private let span: RecordingTime
    private let options: CastOptions

    package init(_ arguments: ParsedArguments) throws(VTError) {
        path = try arguments.operand("FILE")
        let rate = try arguments[Self.fps].map { RecordingTime(microseconds: 1_000_000 / Int64($0)) }
        guard let span = try arguments[Self.within] ?? rate else {
            throw VTError(.usage, "missing --fps or --within", hint: "add --fps N or --within DURATION")
        }
        self.span = span
        options = try CastOptions(arguments)
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let file = try RecordingFile(opening: path, policy: options.policy, diagnostics: context.diagnostics)
        try await options.run([file], QuantizeEdit(span: span), in: context)
        return 0
    }
}
