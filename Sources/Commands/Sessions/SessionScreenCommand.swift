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
        summary: "show the screen as it was at the end of this turn; -1 is the last one, see 'vt help offsets'"
    )
    private static let waitChange = Option.flag(
        "wait-change",
        excludes: [at],
        summary: "wait until the screen differs from the one shown when the command began"
    )
    private static let timeout = Option(
        "timeout",
        .duration,
        summary: "with --wait-change, stop waiting after this time; with --expect, wait for an equal screen"
    )
    private static let region = Option(
        "region",
        ValueKind("REGION", parse: ScreenRegion.init(parsing:)),
        summary: "print only this part of the screen",
        details:
            "REGION is COLSxROWS+COL+ROW: the size, and the first column and row, numbered from 0. With --scrollback, "
            + "rows above the screen are negative."
    )
    private static let cursor = Option.flag(
        "cursor",
        summary: "mark the cursor in text with a block before it"
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
            "Prints what a terminal would show after all of the session's output, as text or, with --format, with "
                + "colors, as JSON, HTML or a picture. This works for running and ended sessions, and does not affect "
                + "them.",
            SessionOperand.explanation,
            "# Earlier screens",
            "--at and --turn print the screen as it was at an offset or at the end of a command. --wait-change waits "
                + "for the first screen that differs. To find changes since an earlier screen, compare its offset, in "
                + "the JSON document, with that of the current one.",
            "# Searching and comparing",
            "--find prints where a text is shown; --expect compares the screen with a file, for example in a test. "
                + "Both work with --at, --turn, --scrollback and --region.",
            "# JSON",
            "The document contains the rows, each divided into runs of characters with the same appearance (text, "
                + "position, colors, attributes, link), the cursor, modes, title, working directory, and the "
                + "positions of prompts.",
        ],
        operands: [SessionOperand.session],
        options: ScreenOptions.options + [scrollback, at, turn, waitChange, timeout, size, region, cursor]
            + ScreenFind.options + ScreenExpectation.options + ConnectionOptions.options,
        commonOptions: [ScreenOptions.format, ScreenFind.find, ScreenExpectation.expect, turn, region],
        examples: [
            ExampleSpec("vt sessions screen editor", "print the screen as text"),
            ExampleSpec(
                "vt sessions screen web:top --format png >top.png",
                "save the screen of a program on a server as an image"
            ),
            ExampleSpec(
                "vt sessions screen build --json | jq -r '.rows[.cursor.row].text'",
                "print the row with the cursor"
            ),
            ExampleSpec("vt sessions screen app --find ERROR --fg red", "find a text in red"),
            ExampleSpec(
                "vt sessions screen app --expect menu.txt --timeout 5s",
                "wait until the screen is as in a file; --update writes the file"
            ),
            ExampleSpec(
                "vt sessions screen build --scrollback 1000 --format ansi | less -R",
                "page through earlier output in color"
            ),
        ],
        exitCodes: VTError.Code.ofConnections + [.negative, .ended, .cannotCreate],
        statuses: [
            1: "--find found nothing, --expect found a difference, or the session ended without a change"
        ]
    )

    package static var documents: [DocumentSpec] {
        [
            .document(Document.self),
            .document(ScreenFind.Document.self, when: "with `--find`"),
            .document(ScreenExpectation.Document.self, when: "with `--expect`"),
        ]
    }

    package static func check(_ call: Call) throws(VTError) {
        guard call[waitChange] || call.contains(ScreenExpectation.expect) || !call.contains(timeout) else {
            throw VTError(.usage, "--timeout can be used only with --wait-change or --expect")
        }
        _ = try ScreenFind(call)
        _ = try ScreenExpectation(call)
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling {
        ScreenOptions.signalHandling(of: call)
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let options = try ScreenOptions(call, in: context)
        let (find, expectation, region) = (try ScreenFind(call), try ScreenExpectation(call), call[Self.region])
        guard options.format == .text || !call[cursor] else {
            throw VTError(.usage, "--cursor can be used only with text")
        }
        let expected = try expectation?.expected()
        let reference = call[SessionOperand.session]
        let request = ScreenRequest(offset: call[at], size: call[size], scrollback: call[scrollback] ?? 0)
        /// The screen as it is compared and printed.
        let shown = { @Sendable (screen: SessionScreen) -> Screen in
            let all = screen.emulator().screen(scrollback: request.scrollback)
            let part = region.map { all.part($0) } ?? all
            return call[cursor] ? part.withCursor : part
        }
        let screen = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            var request = request
            if let turn = call[Self.turn] { request.offset = try await client.turn(turn, of: reference.session).end }
            let first = try await client.call(request, on: reference.session)
            let following = { [request] (isWanted: @escaping @Sendable (SessionScreen) -> Bool) in
                Following(first: first, request: request, reference: reference, client: client, isWanted: isWanted)
            }
            let clock = context.world.clock
            if call[waitChange] {
                let change = following { $0.state != first.state || $0.size != first.size }
                return try await change.screen(within: call[timeout], on: clock)
            }
            guard let timeout = call[Self.timeout], let expectation, request.offset == nil else { return first }
            let isEqual = following { expectation.rows(of: shown($0)) == expected }
            let wanted = try await resultInTime(timeout, on: clock) { () async throws(VTError) in
                try await isEqual.screen()
            }
            if let wanted { return wanted }
            return try await client.call(request, on: reference.session)
        }
        if let find {
            return try find.show(screen.emulator().screen(scrollback: request.scrollback), in: region, context)
        }
        let part = shown(screen)
        if let expectation { return try expectation.conclude(expectation.rows(of: part), expected, context) }
        let document = Document(
            session: screen.session,
            profile: reference.profile,
            offset: screen.offset,
            screen: part
        )
        try await options.show(part, in: document, context)
        return 0
    }

    /// Follows the screen of a session until it is as wanted.
    private struct Following: Sendable {
        let first: SessionScreen
        let request: ScreenRequest
        let reference: SessionReference
        let client: SessionClient
        let isWanted: @Sendable (SessionScreen) -> Bool

        /// Returns the first screen that is as wanted, or the last one of a session that has ended.
        func screen() async throws(VTError) -> SessionScreen {
            var screen = first
            while !isWanted(screen) {
                let last = screen.offset
                let session = try await client.logs(
                    of: reference.session,
                    from: .offset(last),
                    follows: true,
                    receiver: FirstOutput()
                )
                screen = try await client.call(request, on: reference.session)
                guard screen.offset > last || session.state.isLive else { return screen }
            }
            return screen
        }

        /// As `screen()`, for a screen that must change.
        ///
        /// - Throws: `negative` when the session has ended before; `timed-out`.
        func screen(within timeout: Duration?, on clock: any Clock<Duration>) async throws(VTError) -> SessionScreen {
            let screen: SessionScreen
            if let timeout {
                let message = "'\(reference.text)': the screen did not change within \(timeout.shortText)"
                screen = try await withTimeout(timeout, on: clock, throwing: VTError(.timedOut, message)) {
                    () async throws(VTError) in try await self.screen()
                }
            } else {
                screen = try await self.screen()
            }
            guard isWanted(screen) else {
                throw VTError(.ended, "'\(reference.text)' ended, and its screen did not change")
            }
            return screen
        }
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
