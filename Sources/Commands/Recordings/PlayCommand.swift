import Arguments
import Core
import Glibc
import Recording
import Runtime
import Services
import System

/// Plays a recording: `vt play`.
package enum PlayCommand: Command {
    private static let speed = Option(
        "speed",
        short: "s",
        .factor(in: 0.001...1000),
        default: "1",
        excludes: [instant],
        summary: "multiply the playback speed by FACTOR, such as 2 or 0.5"
    )
    private static let instant = Option.flag("instant", summary: "play without pauses")
    private static let idleLimit = Option(
        "idle-limit",
        .duration,
        summary: "shorten pauses to this length",
        details: "The default is the limit in the recording."
    )
    private static let markers = Option.flag("markers", summary: "pause at each marker until a key is pressed")
    private static let loop = Option.flag("loop", summary: "repeat until interrupted")

    package static let spec = CommandSpec(
        ["play"],
        summary: "play a recording",
        description: [
            "Writes the recorded output of FILE, or of standard input if FILE is '-', to standard output with its "
                + "original timing. FILE is an asciicast v1, v2 or v3, optionally compressed with gzip; lines that "
                + "cannot be read are skipped and reported.",
            "# Keys",
            "On a terminal, space pauses and resumes, '.' steps to the next output and pauses, the left and right "
                + "arrow keys seek by 5 seconds, ']' jumps to the next marker, and 'q' quits. Keys are not available "
                + "when the recording is read from a pipe.",
            "# Output",
            "If standard output is not a terminal, it receives the recorded bytes unchanged. On a terminal, queries "
                + "that the terminal would answer, bells and clipboard access are removed, and the terminal is "
                + "restored at the end. If playback starts in the middle (--from, see 'vt help offsets'), it starts "
                + "with the screen as it was at that point.",
        ],
        operands: [CastOperand.file],
        options: [speed, instant, idleLimit, SharedOptions.from, SharedOptions.to, markers, loop],
        examples: [
            ExampleSpec("vt play build.cast", "play a recording in real time"),
            ExampleSpec("vt play build.cast --speed 4 --idle-limit 1s", "play faster and with shorter pauses"),
            ExampleSpec("vt play build.cast --instant --from -30 | less -R", "page through the last 30 seconds"),
            ExampleSpec("vt record build -o - | vt play -", "replay a session"),
        ],
        exitCodes: [.dataInvalid, .notFound, .system]
    )

    package static func check(_ call: Call) throws(VTError) {
        if call[loop], call[CastOperand.file] == "-" {
            throw VTError(.usage, "--loop cannot be used with standard input")
        }
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling {
        .cancelAll(suspends: isAtTerminal(console, call[CastOperand.file]))
    }

    package static func endsWithReader(_ call: Call) -> Bool { true }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let file = call[CastOperand.file]
        let hasKeyboard = isAtTerminal(context.console, file)
        guard hasKeyboard || !call[markers] else {
            _ = try RecordingFile(opening: file)
            throw VTError(.usage, "--markers requires a terminal and a recording in a regular file")
        }
        let console = AttachConsole(context, hasInput: hasKeyboard)
        context.atEnd { () async throws(VTError) in try await console.restore() }
        let end = try await PlayService(context.world).play(
            try RecordingFile(opening: file),
            request(call),
            on: console
        )
        return end == .interrupted ? .signal(SIGINT) : 0
    }

    private static func request(_ call: Call) -> PlayRequest {
        var request = PlayRequest()
        request.speed = call[instant] ? nil : call[speed] ?? 1
        request.idleLimit = call[idleLimit]
        request.start = call[SharedOptions.from]
        request.end = call[SharedOptions.to]
        request.pausesAtMarkers = call[markers]
        request.loops = call[loop]
        return request
    }

    /// Whether keys can control the playback, which requires a recording that can be read again.
    private static func isAtTerminal(_ console: Console, _ file: String) -> Bool {
        InputFile.isRegularFile(file) && console.input.isTerminal && console.output.isTerminal
    }
}
