import Arguments
import Core
import Recording

/// The words with which commands name a recording and places in it.
enum CastOperand {
    static let file = OperandSpec("FILE", completion: .file)

    static let explanation =
        "FILE is an asciicast of version 1, 2 or 3, compressed with gzip or not, or '-' for standard input."

    static let positions =
        "A position is a time since the start (12.5, 1:20, 1m20s), so long before the end (-5), a part (50%), a marker "
        + "(marker:NAME) or an event (event:100)."

    static let lenient = OptionSpec(
        "lenient",
        summary: "leave out what cannot be read, and say so",
        details: "Otherwise the first line that the format does not allow is an error."
    )

    static func policy(_ arguments: ParsedArguments) -> RecordingPolicy {
        arguments.flag("lenient") ? .lenient : .strict
    }

    static let exitCodes: [ExitCode] = [.dataInvalid, .notFound, .system]

    static func position(_ text: String) throws(VTError) -> RecordingPosition {
        try RecordingPosition(parsing: text)
    }
}
