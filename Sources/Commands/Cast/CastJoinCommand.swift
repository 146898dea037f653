import Arguments
import Core
import Recording

/// Concatenates recordings: `vt cast join FILE...`.
package enum CastJoinCommand: Command {
    private static let files = CastOperand.file.list(.oneOrMore)
    private static let noReset = Option.flag("no-reset", summary: "do not reset the terminal between recordings")

    package static let spec = CommandSpec(
        ["cast", "join"],
        summary: "concatenate recordings",
        description: [
            CastOptions.explanation,
            "The header is taken from the first file. A resize event is inserted where the size changes. Only the "
                + "last recording keeps its exit event. The terminal is reset at the start of each recording, "
                + "because a recording expects an empty screen.",
        ],
        operands: [files],
        options: [noReset] + CastOptions.all,
        examples: [
            ExampleSpec("vt cast join intro.cast demo.cast -o all.cast", "concatenate two recordings"),
            ExampleSpec(
                "vt cast cut demo.cast --from 1:00 | vt cast join intro.cast -",
                "append part of another recording"
            ),
        ],
        exitCodes: CastOptions.exitCodes
    )

    package static func check(_ call: Call) throws(VTError) {
        _ = try CastOptions(call)
        try CastOperand.checkInput(call[files])
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let options = try CastOptions(call)
        // Open all files first, so that a missing file is reported before anything is written.
        var files: [RecordingFile] = []
        for path in call[Self.files] {
            files.append(try RecordingFile(opening: path, policy: options.policy, diagnostics: context.diagnostics))
        }
        try await options.run(files, JoinEdit(resets: !call[noReset]), in: context)
        return 0
    }
}
