import Arguments
import Core
import Recording
import Services

/// Puts recordings one behind the other: `vt cast join FILE...`.
package struct CastJoinCommand: Command {
    package static let spec = CommandSpec(
        ["cast", "join"],
        summary: "put recordings one behind the other",
        description: [
            CastOptions.explanation,
            "The header is that of the first file. Where the next one has another size, a resize comes first; of all "
                + "but the last the exit is left out. At each seam the terminal is reset, since a recording begins with "
                + "an empty screen.",
        ],
        operands: [OperandSpec("FILE", .oneOrMore, completion: .file)],
        options: [OptionSpec("no-reset", summary: "do not reset the terminal at the seams")] + CastOptions.all,
        examples: [
            ExampleSpec("vt cast join intro.cast demo.cast -o all.cast", "one recording of two"),
            ExampleSpec("vt cast cut demo.cast --from 1:00 | vt cast join intro.cast -", "with a part of another"),
        ],
        exitCodes: CastOptions.exitCodes
    )

    private let paths: [String]
    private let resets: Bool
    private let options: CastOptions

    package init(_ arguments: ParsedArguments) throws(VTError) {
        paths = arguments.operands("FILE")
        resets = !arguments.flag("no-reset")
        options = try CastOptions(arguments)
        if paths.count(where: { $0 == "-" }) > 1 {
            throw VTError(.usage, "standard input can be read once")
        }
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        // All are opened first: one that is not there is told of before anything is written.
        var files: [RecordingFile] = []
        for path in paths { files.append(try RecordingFile(opening: path, policy: options.policy)) }
        try await options.run(files, JoinEdit(resets: resets), in: context)
        return 0
    }
}
