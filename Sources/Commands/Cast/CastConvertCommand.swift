import Arguments
import Core
import Recording

/// Converts a recording to another format: `vt cast convert FILE`.
package enum CastConvertCommand: Command {
    private static let format = Option(
        "format",
        .choice("FORMAT", RecordingFormat.allCases),
        default: "v3",
        summary: "write this format"
    )
    private static let timing = Option(
        "timing",
        .file,
        summary: "read timing from this file, written by script(1) in the classic or the advanced format"
    )

    package static let spec = CommandSpec(
        ["cast", "convert"],
        summary: "convert a recording to another format",
        description: [
            CastOptions.explanation,
            "With --timing, FILE is a typescript made by script(1).",
            "The formats are v3 and v2, the versions of asciicast; raw, the output of the program and nothing else; "
                + "and txt, the text that was shown: every line that scrolled off the screen, the last screen of "
                + "each use of the alternate screen, and the final screen. The default format is determined by the "
                + "extension of the --output file if it is .cast, .raw or .txt.",
            "Conversion from v1, v2 or v3 to v2 or v3 is lossless: times are exact to the microsecond.",
        ],
        operands: [CastOperand.file],
        options: [format, timing] + CastResult.options + [CastOperand.lenient],
        examples: [
            ExampleSpec(
                "vt cast convert demo.cast --format v2 -o demo2.cast",
                "convert for players that do not support v3"
            ),
            ExampleSpec("vt cast convert demo.cast --format txt | grep -i error", "search the text that was shown"),
            ExampleSpec(
                "vt cast convert typescript --timing times -o old.cast",
                "convert a typescript made by script(1)"
            ),
        ],
        exitCodes: CastOptions.exitCodes
    )

    package static func check(_ call: Call) throws(VTError) {
        _ = try CastOptions(call, format: format, standard: .v3)
        if call[CastOperand.file] == "-", call[timing] == "-" {
            throw VTError(.usage, "the typescript and the timing file cannot both be standard input")
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let options = try CastOptions(call, format: format, standard: .v3)
        let file = try RecordingFile(
            opening: call[CastOperand.file],
            timing: call[timing],
            policy: options.policy,
            diagnostics: context.diagnostics
        )
        try await options.run([file], RecordingCut(), in: context)
        return 0
    }
}
