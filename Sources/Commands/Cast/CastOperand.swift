import Arguments
import Core
import Recording

/// The operand, the option and the texts shared by commands that read recordings.
enum CastOperand {
    static let file = Operand("FILE", completion: .file)

    static let explanation =
        "FILE is an asciicast, optionally compressed with gzip, or '-' for standard input."

    static let positions = "A POSITION is a time such as 12.5 or 1:20, or another place; see 'vt help offsets'."

    static let lenient = Option.flag(
        "lenient",
        summary: "skip and report unreadable lines, instead of failing"
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
