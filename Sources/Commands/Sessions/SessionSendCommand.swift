import Arguments
import Core
import Runtime
import Services
import Terminal

/// Sends input to a session: `vt sessions send SESSION [TEXT...]`.
package enum SessionSendCommand: Command {
    private static let stdin = Option.flag("stdin", summary: "send standard input, byte for byte until it ends")
    private static let file = Option("file", .file, summary: "send a file, byte for byte").repeatable()
    private static let text = Option(
        "text",
        .text("TEXT"),
        summary: "send TEXT, which can be any word, such as one that begins with '-'; can be empty",
        details: "Unlike the words of TEXT, it is not joined to others by a space."
    ).repeatable()
    private static let key = Option(
        "key",
        .text("KEY", completion: .keyName),
        summary: "send a key, such as C-c, M-x, S-Tab, Up, F5, PageUp or Escape",
        details:
            "The modifiers are C- or Ctrl-, M- or Alt-, S- or Shift-, and Super- and Hyper-. KEY is a character, or "
            + "Enter, Tab, BTab, Escape, Space, BSpace, Insert, Delete, Up, Down, Left, Right, Home, End, PageUp, "
            + "PageDown, F1 to F35 or, on the keypad, KP_0 to KP_9, KP_Add, KP_Subtract, KP_Multiply, KP_Divide, "
            + "KP_Decimal, KP_Separator, KP_Equal, KP_Enter, KP_Begin, or KP_Insert to KP_PageDown."
    ).repeatable()
    private static let count = Option(
        "repeat",
        .number(in: 1...10_000),
        summary: "send all of the input N times"
    )
    private static let delay = Option(
        "delay",
        .duration,
        summary: "wait for this time between keys, clicks and texts",
        details:
            "Each of them is encoded for the modes and the screen at its own time; without a delay, all of them are "
            + "encoded for the modes and the screen at the start, and sent at once."
    )
    private static let enter = Option.flag("enter", summary: "send Enter").repeatable()
    private static let timeout = Option(
        "timeout",
        .duration,
        summary: "time out if the terminal has not accepted all input, or no condition is met, after this time",
        details:
            "If the timeout expires before all input is accepted, the program receives the input that "
            + "the terminal has accepted, and the rest is discarded. Without a timeout, vt waits until the program reads the input or ends."
    )
    private static let paste = Option.flag(
        "paste",
        summary: "send the text as a paste",
        details:
            "It is enclosed in the marks of a bracketed paste if the program has asked for them (mode 2004), and its line "
            + "ends are sent as Enter."
    )

    private static let printsOutput = Option.flag(
        "print",
        summary: "with --wait, print the text that the program printed after the input",
        details: "The text begins after the echo of the input, and ends where the condition was met or, with 'prompt', "
            + "where the command ended if the shell reports that."
    )
    private static let words = Operand("TEXT").list(.zeroOrMore)

    package static let spec = CommandSpec(
        ["sessions", "send"],
        summary: "send input to a session",
        description: [
            "Sends TEXT, keys and mouse input to the program of a session, in the order given, and prints the offset "
                + "at which the output ended when the input was sent. With --wait, then waits for a condition; with "
                + "--print, prints what the program answered.",
            "Words of TEXT are joined by single spaces, so quote TEXT to keep others.",
            SessionOperand.explanation,
            "# Waiting",
            "--wait waits as 'vt sessions wait --from' does, with the same result and exit status, but for output "
                + "after the input only: 'prompt', 'exit', 'idle=DURATION', 'match=EXPRESSION', 'screen=TEXT' and so "
                + "on. A prompt counts only if the shell has read the input before it waits there.",
            "--wait ignores the terminal's echo of the input. In a shell that reports its commands to vt (see 'vt "
                + "help sessions create'), output is what follows the start of a command; text shown while a line is "
                + "edited is not. Elsewhere, each line of the input is shown once, at the end of a line, unless the "
                + "terminal hides it, as with a password; if a line editor shows it again, because it was pasted or "
                + "sent before the editor was ready, that counts as output. A row that may be the beginning of the "
                + "echo is examined after a pause of a second. If Tab completes a word, only the completed part is "
                + "new output.",
            "# Keys",
            "Keys are encoded as xterm does in the program's modes: application cursor keys and keypad, "
                + "modifyOtherKeys, and kitty's keyboard protocol. In other modes, xterm ignores modifiers "
                + "that it cannot express, so that C-Enter is sent as Enter; Super and Hyper are an error without "
                + "kitty's protocol. F13 to F24 are sent as S-F1 to S-F12, and F25 to F35 as C-F1 to C-F11, as "
                + "terminfo(5) describes xterm; so S-F13 and C-F25 are also an error without that protocol. --enter "
                + "always sends a carriage return.",
            "# Delivery",
            "The command returns when the terminal has accepted all input. A C-c that interrupts the program is sent when "
                + "preceding input has been read, and what follows when the program reads again, each after two "
                + "seconds at most. Input for a frozen or paused session is an error (busy); with --wait, it is "
                + "written on resumption.",
            "In canonical mode (input is edited line by line), a terminal truncates lines longer than 4095 bytes; "
                + "longer lines are rejected, and nothing is sent.",
        ],
        operands: [SessionOperand.session, words],
        options: [
            stdin, file, text, key, enter, count, delay, timeout, paste, WaitOptions.wait, WaitOptions.regex,
            WaitOptions.settle, printsOutput, SessionExecCommand.maxOutput, SessionAskCommand.force,
        ] + MouseOptions.options + ConnectionOptions.options,
        commonOptions: [enter, key, WaitOptions.wait, printsOutput, timeout],
        examples: [
            ExampleSpec("vt sessions send shell 'make test' --enter", "type a line"),
            ExampleSpec("vt sessions send shell --text \"$line\" --enter", "type a line, whatever it contains"),
            ExampleSpec("vt sessions send shell --key C-c", "press Control-C"),
            ExampleSpec(
                "vt sessions send repl 'import app' --enter --wait match='^>>> ' --timeout 30s --print",
                "type a line into a program, and print what it shows until the prompt"
            ),
            ExampleSpec("vt sessions send editor --key Escape ':wq' --enter", "press Escape, then type a command"),
            ExampleSpec("vt sessions send menu --key Down --repeat 3 --delay 50ms", "press a key three times"),
            ExampleSpec(
                "vt sessions send installer --click '<OK>'",
                "click a button of a program that supports the mouse"
            ),
            ExampleSpec("vt sessions send tree --click src --clicks 2", "double-click on a text"),
            ExampleSpec("vt sessions send web:psql --file script.sql", "send a file to a program on a server"),
        ],
        exitCodes: VTError.Code.ofHolders,
        statuses: [
            0: "the input was accepted and, with --wait, a condition is met",
            1: "with --wait, a line matches fail-match, or the session ended without meeting a condition",
        ],
        passesStatusThroughWith: [WaitOptions.wait]
    )

    package static var documents: [DocumentSpec] {
        [
            .document(Document.self),
            .lines(WaitDocument.self),
            .lines(PartialWaitDocument.self, when: "with `--print`, if no condition was met"),
        ]
    }

    package static func check(_ call: Call) throws(VTError) {
        let items = try items(in: call)
        let conditions = call[WaitOptions.wait]
        let printsOutput = call[Self.printsOutput]
        guard printsOutput || !call.contains(SessionExecCommand.maxOutput) else {
            throw VTError(.usage, "--max-output requires --print")
        }
        guard !printsOutput || !conditions.isEmpty else { throw VTError(.usage, "--print requires --wait") }
        try WaitOptions.check(conditions, call)
        guard conditions.isEmpty || conditions.contains(where: { $0.kind != .failMatch }) else {
            throw VTError(
                .usage,
                "fail-match requires another condition",
                hint: "add --wait prompt or --wait match=EXPRESSION"
            )
        }
        guard !items.isEmpty else {
            throw VTError(
                .usage,
                "nothing to send",
                hint: "add TEXT, --text, --stdin, --file, --key, --enter, --click, --drag, --scroll or --hover; "
                    + "to wait only, use 'vt sessions wait'"
            )
        }
        try MouseOptions.check(call)
    }

    /// Returns what to send in the order given; words without an option between them are one text.
    private static func items(in call: Call) throws(VTError) -> [SendItem] {
        let words = call[Self.words]
        var items: [SendItem] = []
        var taken = 0
        func takeWords(to end: Int) {
            let text = words[taken..<max(taken, end)].spaced
            taken = max(taken, end)
            if !text.isEmpty { items.append(.text(Array(text.utf8))) }
        }
        for option in call.occurrences {
            let value = option.value ?? ""
            let item: SendItem
            switch option.long {
            case text.long: item = .text(Array(value.utf8))
            case key.long: item = .key(try Key(parsing: value))
            case enter.long: item = .enter
            case stdin.long: item = .file(nil)
            case file.long: item = .file(value)
            default:
                guard let mouse = try MouseOptions.item(option.long, value, call) else { continue }
                item = mouse
            }
            // The first operand is the session.
            takeWords(to: option.operandsBefore - 1)
            items.append(item)
        }
        takeWords(to: words.count)
        return items
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        let items = try await itemsWithContents(call, in: context)
        if !call.contains(enter), !call.contains(key), let name = call[words].first(where: isKeyName) {
            context.diagnostics.note("'\(name)' is sent as text; to press a key, use --key \(name)")
        }
        let conditions = try WaitOptions.read(call[WaitOptions.wait], isExpression: call[WaitOptions.regex])
        let timeout = call[Self.timeout]
        let deadline = timeout.map { ContinuousClock.now + $0 }
        return try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            guard conditions.isEmpty || client.machine.hasStableOffsets else {
                throw VTError(
                    .usage,
                    "--wait cannot be used with '\(reference.text)', whose server has no stable offsets",
                    hint: "use 'vt sessions wait \(reference.text)'"
                )
            }
            let sent = try await send(items, call, through: client, until: deadline, on: context.world.clock)
            guard !conditions.isEmpty else {
                try context.show(Document(offset: sent.offset)) { sent.offset.map(String.init) ?? "" }
                return 0
            }
            var request = WaitRequest(conditions, from: sent.offset, timeout: rest(until: deadline))
            request.statedTimeout = timeout
            request.sent = sent.shown
            request.settle = call[WaitOptions.settle]
            return try await wait(request, call, at: client, in: context)
        }
    }

    /// Whether a word looks like a key that is meant to be pressed, as in `tmux send-keys`.
    private static func isKeyName(_ word: String) -> Bool {
        guard word.count > 1, let first = word.first, first.isUppercase || first == "^" else { return false }
        return (try? Key(parsing: word)) != nil
    }

    /// Reads files and standard input.
    private static func itemsWithContents(_ call: Call, in context: Context) async throws(VTError) -> [SendItem] {
        let limit = inputLimitBytes
        let count = call[Self.count] ?? 1
        var byteCount = 0
        var items = try items(in: call)
        for (index, item) in items.enumerated() {
            switch item {
            case .file(nil):
                items[index] = .text(try await context.console.input.source().contents(limit: limit))
            case .file(let path?):
                let input = try InputFile(opening: path)
                items[index] = .text(try await input.stream().contents(limit: limit, of: input.name))
            case .text, .key, .enter, .click, .drag, .hover, .scroll: break
            }
            if case .text(let text) = items[index] { byteCount += text.count * count }
        }
        guard byteCount <= limit else { throw VTError(.dataInvalid, "the input is longer than \(limit) bytes") }
        return items
    }

    /// Sends the items at once or, with a delay, one by one.
    ///
    /// Returns the offset before the first one, and the input that the terminal can have shown.
    private static func send(
        _ items: [SendItem],
        _ call: Call,
        through client: SessionClient,
        until deadline: ContinuousClock.Instant?,
        on clock: any Clock<Duration>
    ) async throws(VTError) -> (offset: UInt64?, shown: [UInt8]) {
        let session = call[SessionOperand.session].session
        let isPaste = call[paste]
        let count = call[Self.count] ?? 1
        let delay = call[Self.delay]
        var offset: UInt64?
        var shown: [UInt8] = []
        let steps = delay == nil ? [Array(repeatElement(items, count: count).joined())] : items.map { [$0] }
        for index in 0..<(delay == nil ? 1 : count * steps.count) {
            if let delay, index > 0 { try await pause(delay, call, until: deadline, on: clock) }
            let step = steps[index % steps.count]
            let needsScreen = isPaste || step.contains(where: \.needsScreen)
            let emulator = needsScreen ? try await client.call(ScreenRequest(), on: session).emulator() : nil
            let input = try step.bytes(isPaste: isPaste, on: emulator)
            let waits = call.contains(WaitOptions.wait)
            var request = SendRequest(input, waits: waits, timeout: rest(until: deadline))
            request.isForced = call[SessionAskCommand.force]
            let sent = try await client.call(request, on: session)
            offset = offset ?? sent.offset
            if !sent.isHidden { shown += input.prefix(SentInput.limitBytes - shown.count) }
        }
        return (offset, shown)
    }

    private static func pause(
        _ delay: Duration,
        _ call: Call,
        until deadline: ContinuousClock.Instant?,
        on clock: any Clock<Duration>
    ) async throws(VTError) {
        let rest = rest(until: deadline)
        try await clock.pause(for: min(delay, rest ?? delay))
        guard let rest, rest <= delay, let timeout = call[Self.timeout] else { return }
        throw VTError(.timedOut, "the input was not sent completely within \(timeout.shortText)")
    }

    private static func rest(until deadline: ContinuousClock.Instant?) -> Duration? {
        deadline.map { max(.zero, $0 - ContinuousClock.now) }
    }

    private static func wait(
        _ request: WaitRequest,
        _ call: Call,
        at client: SessionClient,
        in context: Context
    ) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        let printsOutput = call[Self.printsOutput]
        let conditions = request.conditions
        var request = request
        request.includesOutput = printsOutput
        let limit = call[SessionExecCommand.maxOutput].map { Int($0) }
        let printer = OutputPrinter(.plain, limit: limit, of: reference, in: context)
        let outcome: WaitOutcome
        do throws(VTError) {
            outcome = try await client.wait(request, of: reference.session, receiver: printer)
        } catch {
            if printsOutput, !error.isCancellation { try await showOutput(of: printer, reference, in: context) }
            throw error
        }
        try await printer.flush()
        if context.global.json {
            let output = printsOutput ? String(decoding: printer.collected, as: UTF8.self) : nil
            var document = WaitDocument(outcome: outcome, profile: reference.profile, output: output)
            document.gap = printer.gap
            try context.output.jsonLine(document)
        } else if !printsOutput, conditions.map(\.kind) != [.exit] {
            try context.output.text(outcome.text(isNamed: conditions.count > 1 || outcome.condition == .exit))
        }
        return .status(outcome.status)
    }

    /// Prints the output of a wait that has failed.
    private static func showOutput(
        of printer: OutputPrinter,
        _ reference: SessionReference,
        in context: Context
    ) async throws(VTError) {
        try await printer.flush()
        guard context.global.json else { return }
        let text = String(decoding: printer.collected, as: UTF8.self)
        try context.output.jsonLine(PartialWaitDocument(reference: reference, output: text, gap: printer.gap))
    }

    /// The maximum size of the texts, files and standard input, which are kept in memory.
    private static let inputLimitBytes = 64 << 20

    struct Document {
        let offset: UInt64?
    }
}

extension SessionSendCommand.Document: JSONDocument {
    static let documentName = "sent input"
    static let documentSummary = "input that was sent"

    static let fields: JSONTable<Self> = [
        .field(
            "offset",
            \.offset,
            "end of the output when the input was sent, for use with `--from`; absent for sessions of a VibeTunnel server",
            in: .bytes
        )
    ]
}
