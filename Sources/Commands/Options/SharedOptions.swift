import Arguments
import Core
import Recording
import Services

/// The options shared by several commands.
enum SharedOptions {
    static let noShare = Option.flag(
        "no-share",
        summary: "do not share the connection with other commands"
    )

    static let connectTimeout = connectTimeout(atLeast: .zero)

    static func connectTimeout(atLeast minimum: Duration) -> Option<Duration?> {
        Option(
            "connect-timeout",
            .duration(atLeast: minimum),
            default: "15s",
            summary: "time out if logging in takes longer than this"
        )
    }

    /// The start of a part of a recording.
    static let from = Option("from", .position, summary: "start at this position")

    /// The end of a part of a recording.
    static let to = Option("to", .position, summary: "stop at this position")

    static func keyComment(default defaultText: String) -> Option<String?> {
        Option(
            "comment",
            short: "C",
            ValueKind("TEXT", parse: comment),
            default: defaultText,
            summary: "set the comment in the public key"
        )
    }

    /// - Throws: `usage` for a comment with control characters, which would end its line.
    private static func comment(_ text: String) throws(VTError) -> String {
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
            throw VTError(.usage, "the comment contains control characters")
        }
        return text
    }

    /// Environment variables of the program that the command starts.
    static func environment(of program: String, details: String? = nil) -> Option<[EnvironmentVariable]> {
        Option("env", .variable, summary: "set an environment variable for \(program)", details: details).repeatable()
    }
}
