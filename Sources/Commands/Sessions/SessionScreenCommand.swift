import Arguments
import Core
import Runtime
import Services
import Terminal

/// Shows the screen of a session: `vt sessions screen SESSION`.
package enum SessionScreenCommand: Command {
    private static let scrollback = Option(
        "scrollback",
        .number("ROWS", in: 0...ScreenRequest.maximumScrollback),
        default: "0",
        summary: "include up to ROWS rows that scrolled off the screen"
    )
    private static let at = Option("at", .offset, summary: "show the screen as it was at this offset")
    private static let turn = Option(
        "turn",
        .turn,
        excludes: [at, waitChange],
        summary: "show the screen as it was at the end of this turn; see 'vt help sessions history'",
        details: SharedOptions.turnDetails
    )
    private static let waitChange = Option.flag(
        "wait-change",
        excludes: [at],
        summary: "wait until the screen differs from the one shown when the command began"
    )
    private static let timeout = Option(
        "timeout",
        .duration,
        summary: "with --wait-change, stop waiting after this time"
    )
    private static let size = Option(
        "size",
        .terminalSize,
        summary: "show the screen as a terminal of this size would",
        details: "The size of the session's terminal does not change."
    )

    package static let spec = CommandSpec(
        ["sessions", "screen"],
        summary: "show the screen of a session",
        description: [
            SessionOperand.explanation,
            "Prints the screen that a terminal would show after all of the session's output, as plain text, text "
                + "with colors, a JSON document, an HTML page or an SVG image. This works for running and ended "
                + "sessions, and does not affect them.",
            "With --at, prints the screen as it was at an offset in the output, as reported by 'vt sessions logs' "
                + "and 'vt sessions wait'.",
            "With --wait-change, prints the first screen that differs. If the session ends without a change, the exit "
                + "status is 1. To find changes since an earlier screen, compare its offset, in the JSON document, "
                + "with that of the current one.",
            "The JSON document contains the rows, each divided into runs of characters with the same appearance "
                + "(text, position, colors, attributes, link), the cursor, modes, title, working directory, and the "
                + "positions of prompts.",
        ],
        operands: [SessionOperand.session],
        options: ScreenOptions.options + [scrollback, at, turn, waitChange, timeout, size]
            + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt sessions screen editor", "print the screen as text"),
            ExampleSpec(
                "vt sessions screen web:top --format svg >top.svg",
                "save the screen of a program on a server as an image"
            ),
            ExampleSpec(
                "vt sessions screen build --json | jq -r '.rows[.cursor.row].text'",
                "print the row with the cursor"
            ),
            ExampleSpec(
                "vt sessions screen build --scrollback 1000 --format ansi | less -R",
                "page through earlier output in color"
            ),
        ],
        files: FileSpec.ofSessions,
        exitCodes: VTError.Code.ofConnections + [.negative]
    )

    package static var documents: [DocumentSpec] {
        [.document(Document.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        guard call[waitChange] || !call.contains(timeout) else {
            throw VTError(.usage, "--timeout can be used only with --wait-change")
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let rendering = try ScreenOptions(call).rendering(isJSON: context.global.json)
        let reference = call[SessionOperand.session]
        let request = ScreenRequest(offset: call[at], size: call[size], scrollback: call[scrollback] ?? 0)
        let screen = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            var request = request
            if let turn = call[Self.turn] { request.offset = try await client.turn(turn, of: reference.session).end }
            let first = try await client.call(request, on: reference.session)
            guard call[waitChange] else { return first }
            guard let timeout = call[Self.timeout] else {
                return try await change(from: first, request, of: reference, on: client)
            }
            let message = "'\(reference.text)': the screen did not change within \(timeout.shortText)"
            let late = VTError(.timedOut, message)
            let clock = context.world.clock
            return try await withTimeout(timeout, on: clock, throwing: late) { [request] () async throws(VTError) in
                try await change(from: first, request, of: reference, on: client)
            }
        }
        let shown = screen.emulator().screen(scrollback: request.scrollback)
        let document = Document(
            session: screen.session,
            profile: reference.profile,
            offset: screen.offset,
            screen: shown
        )
        try context.output.bytes(rendering.bytes(of: shown, in: document))
        return 0
    }

    /// Waits until the screen differs.
    private static func change(
        from first: SessionScreen,
        _ request: ScreenRequest,
        of reference: SessionReference,
        on client: SessionClient
    ) async throws(VTError) -> SessionScreen {
        var screen = first
        while screen.state == first.state, screen.size == first.size {
            let last = screen.offset
            let session = try await client.logs(
                of: reference.session,
                from: .offset(last),
                follows: true,
                receiver: FirstOutput()
            )
            screen = try await client.call(request, on: reference.session)
            guard screen.offset > last || session.state.isLive else {
                let message = "'\(reference.text)' ended, and its screen did not change"
                throw VTError(.negative, message)
            }
        }
        return screen
    }

    /// Stops at the first output.
    private struct FirstOutput: OutputReceiver {
        func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool { false }

        func gap(from start: UInt64, to end: UInt64) async throws(VTError) {}
    }

    struct Document {
        let session: Session
        let profile: String?
        let offset: UInt64
        let screen: Screen
    }
}

extension SessionScreenCommand.Document: JSONDocument {
    static let documentName = "session screen"
    static let documentSummary = "the screen of a session"

    static let fields = JSONTable<Self>(
        [
            .field("id", \.session.id, "ID of the session"),
            .field("name", \.session.name, "name of the session"),
            .field("profile", \.profile, "server; absent for this machine"),
            .field("offset", \.offset, "offset up to which output is shown", in: .bytes),
        ] + Screen.fields.fields.map { $0.nested(in: \.screen) },
        isSorted: false
    )
}
