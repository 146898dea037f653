import Arguments
import Core
import Recording
import Services

/// Joins output that came at nearly the same time: `vt cast quantize FILE`.
package struct CastQuantizeCommand: Command {
    package static let spec = CommandSpec(
        ["cast", "quantize"],
        summary: "join output that came at nearly the same time",
        description: [
            CastOptions.explanation,
            "Output that comes within a span after other output is joined with it, and so shown by up to that span "
                + "earlier. The file gets smaller, and what is rendered from it has fewer pictures. Other events stay as "
                + "they are.",
        ],
        operands: [CastOperand.file],
        options: [
            OptionSpec("fps", value: ValueSpec("N"), excludes: ["within"], summary: "at most so many outputs a second"),
            OptionSpec("within", value: ValueSpec("DURATION"), summary: "join output within this span, such as 50ms"),
        ] + CastOptions.all,
        examples: [
            ExampleSpec("vt cast quantize demo.cast --fps 30 -o small.cast", "thirty pictures a second are enough")
        ],
        exitCodes: CastOptions.exitCodes
    )

    private let path: String
    private let span: RecordingTime
    private let options: CastOptions

    package init(_ arguments: ParsedArguments) throws(VTError) {
        path = try arguments.operand("FILE")
        let rate = try arguments.value("fps") { text throws(VTError) in
            guard let rate = Int64(text), (1...1000).contains(rate) else {
                throw VTError(.usage, "'\(text)' is not a number from 1 to 1000")
            }
            return RecordingTime(microseconds: 1_000_000 / rate)
        }
        guard let span = try arguments.value("within", parse: CastSpeedCommand.time) ?? rate else {
            throw VTError(.usage, "nothing says what to join", hint: "add --fps N or --within DURATION")
        }
        self.span = span
        options = try CastOptions(arguments)
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let file = try RecordingFile(opening: path, policy: options.policy)
        try await options.run([file], QuantizeEdit(span: span), in: context)
        return 0
    }
}
