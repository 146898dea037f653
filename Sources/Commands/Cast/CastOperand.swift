import Arguments
import Core
import Recording

/// The operand, the option and the texts shared by commands that read recordings.
enum CastOperand {
    static let file = Operand("FILE", completion: .file)

    static let explanation =
        "FILE is an asciicast version 1, 2 or 3 file, optionally compressed with gzip, or '-' for standard input."

    static let positions =
        "A position is a time since the start (12.5, 1:20, 1m20s), a time before the end (-5), a percentage (50%), a "
        + "marker (marker:NAME), an event (event:100), or the start or the end of a command in the shell of a session "
        + "(turn:5, turn-end:5, turn:-1 for the last one)."

    static let lenient = Option.flag(
        "lenient",
        summary: "skip and report unreadable lines",
        details: "Without this option, the first malformed line is an error."
    )

    static func policy(_ call: Call) -> RecordingPolicy {
        call[lenient] ? .lenient : .strict
    }

    static func checkInput(_ files: [String]) throws(VTError) {
        guard files.count(where: { $0 == "-" }) < 2 else {
            throw VTError(.usage, "standard input can be read only once", hint: "use '-' only once")
        }
    }

    static let exitCodes: [VTError.Code] = [.dataInvalid, .notFound, .system]
}
