import Arguments
import Core
import Recording
import Services
import Terminal

/// Shows the screen at a position in a recording: `vt cast screen FILE --at POSITION`.
package enum CastScreenCommand: Command {
    private static let at = Option("at", .position, default: "100%", summary: "show the screen at this position")
    private static let scrollback = Option(
        "scrollback",
        .number("ROWS", in: 0...ScreenRequest.maximumScrollback),
        default: "0",
        summary: "include up to ROWS rows that scrolled off the screen"
    )

    package static let spec = CommandSpec(
        ["cast", "screen"],
        summary: "show the screen at a position in a recording",
        description: [
            CastOperand.explanation,
            "Prints the screen after all events up to a position (by default, the end), as plain text, text with "
                + "colors, a JSON document, an HTML page, or an SVG or PNG image.",
            CastOperand.positions,
        ],
        operands: [CastOperand.file],
        options: [at] + ScreenOptions.options + [scrollback, CastOperand.lenient],
        examples: [
            ExampleSpec("vt cast screen demo.cast --at 1:20", "print the screen after 80 seconds"),
            ExampleSpec(
                "vt cast screen demo.cast --at marker:done --format png >done.png",
                "save the screen at a marker as an image"
            ),
            ExampleSpec(
                "vt record build -o - | vt cast screen - --json | jq .title",
                "print the terminal title at the end of a session"
            ),
        ],
        exitCodes: CastOperand.exitCodes + [.cannotCreate, .timedOut]
    )

    package static var documents: [DocumentSpec] {
        [.document(Document.self)]
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling {
        ScreenOptions.signalHandling(of: call)
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (file, position, options) = (call[CastOperand.file], call[at], try ScreenOptions(call, in: context))
        let source = try RecordingFile(
            opening: file,
            policy: CastOperand.policy(call),
            isReadAgain: position?.needsSurvey ?? false,
            diagnostics: context.diagnostics
        )
        let shown = try source.screen(at: position, scrollback: call[scrollback] ?? 0)
        let theme = shown.theme.flatMap { Theme(recorded: $0) }
        let document = Document(
            file: file == "-" ? nil : file,
            time: shown.time,
            events: shown.events,
            screen: shown.screen
        )
        try await options.show(shown.screen, in: document, recorded: theme, context)
        return 0
    }

    struct Document {
        let file: String?
        let time: RecordingTime
        let events: Int
        let screen: Screen
    }
}

extension CastScreenCommand.Document: JSONDocument {
    static let documentName = "recording screen"
    static let documentSummary = "the screen at a position in a recording"

    static let fields = JSONTable<Self>(
        [
            .field("file", \.file, "path of the recording; absent for standard input"),
            .field("time", \.time, "position of the screen in the recording", in: .seconds),
            .field("events", \.events, "number of events up to that position"),
        ] + Screen.fields.fields.map { $0.nested(in: \.screen) },
        isSorted: false
    )
}
