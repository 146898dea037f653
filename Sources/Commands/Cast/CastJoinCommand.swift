import Arguments
import Core
import Recording

/// Concatenates recordings: `vt cast join FILE...`.
package struct CastJoinCommand: Command {
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
        operands: [OperandSpec("FILE", .oneOrMore, completion: .file)],
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

    private let paths: [String]
    private let resets: Bool
    private let options: CastOptions

    package init(_ arguments: ParsedArguments) throws(VTError) {
        paths = arguments.operands("FILE")
        resets = !arguments[Self.noReset]
        options = try CastOptions(arguments)
        if paths.count(where: { $0 == "-" }) > 1 {
            throw VTError(.usage, "standard input can be read only once", hint: "use '-' only once")
        }
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        // Open all files first, so that a missing file is reported before anything is written.
        var files: [RecordingFile] = []
        for path in paths {
            files.append(try RecordingFile(opening: path, policy: options.policy, diagnostics: context.diagnostics))
        }
        try await options.run(files, JoinEdit(resets: resets), in: context)
        return 0
    }
}
