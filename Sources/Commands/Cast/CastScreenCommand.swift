import Arguments
import Core
import Recording
import Services
import Terminal

/// Shows the screen at a position in a recording: `vt cast screen FILE --at POSITION`.
package struct CastScreenCommand: Command {
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
                + "colors, a JSON document, an HTML page or an SVG image.",
            CastOperand.positions,
        ],
        operands: [CastOperand.file],
        options: [at] + ScreenOptions.options + [scrollback, CastOperand.lenient],
        examples: [
            ExampleSpec("vt cast screen demo.cast --at 1:20", "print the screen after 80 seconds"),
            ExampleSpec(
                "vt cast screen demo.cast --at marker:done --format svg >done.svg",
                "save the screen at a marker as an image"
            ),
            ExampleSpec(
                "vt record build -o - | vt cast screen - --json | jq .title",
                "print the terminal title at the end of a session"
            ),
        ],
        exitCodes: CastOperand.exitCodes
    )

    package static var documents: [DocumentSpec] {
        [.document(Document.self)]
    }

    private let file: String
    private let position: RecordingPosition?
    private let options: ScreenOptions
    private let scrollback: Int
    private let policy: RecordingPolicy

    package init(_ arguments: ParsedArguments) throws(VTError) {
        file = try arguments.operand("FILE")
        position = try arguments[Self.at]
        options = try ScreenOptions(arguments)
        scrollback = try arguments[Self.scrollback] ?? 0
        policy = CastOperand.policy(arguments)
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        _ = try options.rendering(isJSON: context.global.json)
        let isReadAgain = position?.needsSurvey ?? false
        let source = try RecordingFile(
            opening: file,
            policy: policy,
            isReadAgain: isReadAgain,
            diagnostics: context.diagnostics
        )
        let shown = try source.screen(at: position, scrollback: scrollback)
        let theme = shown.theme.flatMap { Theme(recorded: $0) }
        let rendering = try options.rendering(isJSON: context.global.json, recorded: theme)
        let document = Document(
            file: file == "-" ? nil : file,
            time: shown.time,
            events: shown.events,
            screen: shown.screen
        )
        try context.output.bytes(rendering.bytes(of: shown.screen, in: document))
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
