import Arguments
import Core
import Recording
import Services

/// Writes a recording in another format: `vt cast convert FILE`.
package struct CastConvertCommand: Command {
    package static let spec = CommandSpec(
        ["cast", "convert"],
        summary: "write a recording in another format",
        description: [
            CastOptions.explanation,
            "With --timing, FILE is a typescript of script(1).",
            "The formats are: v3 and v2, the versions of asciicast; raw, the output of the program and nothing else; "
                + "txt, the text that was shown: every line that left the screen, the last picture of each stay on the "
                + "alternate screen, and the last screen. Without --format it is that of the file of --output where its name ends in "
                + ".cast, .raw or .txt.",
            "From v1, v2 and v3 to v2 and v3 nothing is lost: times stay exact to the microsecond.",
        ],
        operands: [CastOperand.file],
        options: [
            OptionSpec(
                "format",
                value: ValueSpec("FORMAT", choices: RecordingFormat.allCases.map(\.rawValue), defaultText: "v3"),
                summary: "what to write"
            ),
            OptionSpec(
                "timing",
                value: ValueSpec("FILE", completion: .file),
                summary: "the timing file of a typescript, classic or advanced"
            ),
        ] + CastOptions.output + [CastOperand.lenient],
        examples: [
            ExampleSpec("vt cast convert demo.cast --format v2 -o demo2.cast", "for players that do not know v3"),
            ExampleSpec("vt cast convert demo.cast --format txt | grep -i error", "search what was shown"),
            ExampleSpec("vt cast convert typescript --timing times -o old.cast", "bring along what script(1) made"),
        ],
        exitCodes: CastOptions.exitCodes
    )

    private let path: String
    private let timing: String?
    private let options: CastOptions

    package init(_ arguments: ParsedArguments) throws(VTError) {
        path = try arguments.operand("FILE")
        timing = arguments.value("timing")
        options = try CastOptions(arguments, format: .v3)
        if path == "-", timing == "-" {
            throw VTError(.usage, "only one of typescript and timing file can be standard input")
        }
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let file = try RecordingFile(opening: path, timing: timing, policy: options.policy)
        try await options.run([file], NoEdit(), in: context)
        return 0
    }
}
