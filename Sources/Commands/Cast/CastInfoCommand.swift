import Arguments
import Core
import Recording

/// Shows information about a recording: `vt cast info FILE`.
package enum CastInfoCommand: Command {
    private static let timing = Option(
        "timing",
        .file,
        summary: "read timing from this file, written by script(1) in the classic or the advanced format"
    )
    private static let idleLimit = Option(
        "idle-limit",
        .recordingTime,
        summary: "count at most this much of each pause"
    )

    package static let spec = CommandSpec(
        ["cast", "info"],
        summary: "show information about a recording",
        description: [
            CastOperand.explanation,
            "With --timing, FILE is a typescript made by script(1).",
            "The whole recording is read, so success also means that it is well-formed. A missing end is "
                + "reported but is not an error.",
            "The active duration counts each pause only up to a limit: --idle-limit if specified, otherwise the limit "
                + "in the header.",
            "Times are shown in a form that other commands accept as a position.",
        ],
        operands: [CastOperand.file],
        options: [timing, idleLimit, CastOperand.lenient],
        examples: [
            ExampleSpec("vt cast info demo.cast", "show duration, size, markers and exit status"),
            ExampleSpec("vt cast info demo.cast --json | jq .duration_ms", "print the duration for use in a script"),
        ],
        exitCodes: CastOperand.exitCodes
    )

    package static var documents: [DocumentSpec] {
        [.document(RecordingDocument.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        if call[CastOperand.file] == "-", call[timing] == "-" {
            throw VTError(.usage, "the typescript and the timing file cannot both be standard input")
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let timing = call[Self.timing]
        let file = try RecordingFile(
            opening: call[CastOperand.file],
            timing: timing,
            policy: CastOperand.policy(call),
            // The JSON document contains the number of notes.
            diagnostics: context.global.json ? nil : context.diagnostics
        )
        file.progress = { context.diagnostics.progress($0) }
        var summary = RecordingSummary(idleLimit: call[idleLimit])
        try file.read { summary.consume($0) }
        if context.global.json {
            try context.output.json(RecordingDocument(summary: summary, file: file, isTypescript: timing != nil))
            return 0
        }
        try context.output.table(TextTable(fields: rows(summary, file, isTypescript: timing != nil)))
        guard !summary.markers.isEmpty else { return 0 }
        var markers = TextTable(["TIME", "MARKER"])
        for marker in summary.markers { markers.add([marker.time.clockText, marker.label]) }
        try context.output.text("\n")
        try context.output.table(markers)
        return 0
    }

    private static func rows(
        _ summary: RecordingSummary,
        _ file: RecordingFile,
        isTypescript: Bool
    ) -> [(String, String?)] {
        let header = summary.header
        let codes = summary.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let counts = codes.prefix(10).map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        let format = isTypescript ? "typescript" : "asciicast v\(header.version.rawValue)"
        let resizes = summary.resizes.prefix(5).map { "\(text($0.size)) at \($0.time.clockText)" }
        let more = summary.resizes.count > 5 ? ["and \(summary.resizes.count - 5) more"] : []
        let terminal = [header.terminalType, header.terminalVersion].compactMap { $0 }.joined(separator: ", ")
        return [
            ("format", file.isCompressed ? "\(format), gzip" : format),
            ("title", header.title), ("command", header.command),
            ("recorded", header.timestamp.flatMap { Timestamp(inFourDigitYears: $0)?.rawValue }),
            ("size", text(header.size)),
            ("resizes", resizes.isEmpty ? nil : (resizes + more).joined(separator: ", ")),
            ("duration", summary.duration.clockText), ("active", summary.activeDuration?.clockText),
            ("events", summary.eventCount == 0 ? "0" : "\(summary.eventCount): \(counts)"),
            ("output", "\(summary.outputBytes) bytes"),
            ("input", summary.inputBytes > 0 ? "\(summary.inputBytes) bytes" : nil),
            ("exit", summary.exitStatus.map(String.init)),
            ("terminal", terminal.isEmpty ? nil : terminal),
            ("theme", header.theme.map { "\($0.foreground) on \($0.background)" }),
        ]
    }

    private static func text(_ size: TerminalSize) -> String {
        "\(size.columns)x\(size.rows)"
    }
}
