import Arguments
import Core
import Runtime
import Services
import Synchronization
import Terminal

/// Sends input to a session: `vt sessions send SESSION [TEXT...]`.
package struct SessionSendCommand: Command {
    private static let stdin = Option.flag("stdin", summary: "send standard input, byte for byte until it ends")
    private static let key = Option(
        "key",
        .text("KEY"),
        summary: "send a key, such as C-c, M-x, S-Tab, Up, F5, PageUp or Escape",
        details: "The modifiers are C- or Ctrl-, M- or Alt-, and S- or Shift-. KEY is a character, or Enter, Tab, "
            + "BTab, Escape, Space, BSpace, Insert, Delete, Up, Down, Left, Right, Home, End, PageUp, PageDown, F1 to "
            + "F12, KP_0 to KP_9 or KP_Enter. Keys are encoded for the modes that the program has set, such as "
            + "application cursor keys."
    ).repeatable()
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

    package static let spec = CommandSpec(
        ["sessions", "send"],
        summary: "send input to a session",
        description: [
            SessionOperand.explanation,
            "Sends the words of TEXT, keys (--key), Enter (--enter) and standard input (--stdin) in the order given. "
                + "Words without a key between them are joined by spaces.",
            "The command returns once the terminal has accepted all input, and prints the offset at which the output "
                + "ended when the input was sent; pass it to 'vt sessions wait --from' to ignore earlier output.",
            "In canonical mode, in which input is edited line by line, a terminal truncates lines longer than 4095 "
                + "bytes. Input with a longer line is rejected, and nothing is sent.",
            "With --wait, the command then waits until the first of the given conditions is met, as 'vt sessions wait "
                + "--from' does, with the same result and exit status. Only output after the input counts, and a prompt "
                + "that was already shown does not.",
            "The echo of the input never matches. In a shell that reports its commands to vt (see 'vt help sessions "
                + "create'), output is what follows the start of a command; text shown while a line is edited is not. "
                + "Elsewhere, each line of the input is shown once, at the end of a line, unless the terminal hides it, as "
                + "with a password; if a line editor shows it again, because it was pasted or sent before the editor was "
                + "ready, that counts as output.",
        ],
        operands: [SessionOperand.spec(), OperandSpec("TEXT", .zeroOrMore)],
        options: [stdin, key, enter, timeout, paste, WaitOptions.wait, printsOutput, SessionExecCommand.maxOutput],
        examples: [
            ExampleSpec("vt sessions send shell 'make test' --enter", "type a line"),
            ExampleSpec("vt sessions send shell --key C-c", "press Control-C"),
            ExampleSpec(
                "vt sessions send repl 'import app' --enter --wait match='^>>> ' --timeout 30s --print",
                "type a line into a program, and print what it answers"
            ),
            ExampleSpec("vt sessions send editor --key Escape ':wq' --enter", "press Escape, then type a command"),
            ExampleSpec(
                "cat script.sql | vt sessions send web:psql --stdin",
                "send a file to a program on a server"
            ),
        ],
        files: FileSpec.ofSessions,
        exitCodes: VTError.Code.ofHolders,
        passesStatusThroughWith: [WaitOptions.wait]
    )

    package static var documents: [DocumentSpec] {
        [.document(Document.self), .lines(WaitDocument.self)]
    }

    private let reference: SessionReference
    private let items: [Item]
    private let isPaste: Bool
    private let timeout: Duration?
    private let conditions: [WaitCondition]
    private let outputLimit: Int?
    private let printsOutput: Bool

    package init(_ arguments: ParsedArguments) throws(VTError) {
        reference = try SessionOperand.reference(arguments)
        items = Self.items(in: arguments)
        for case .key(let name) in items { _ = try KeyName.bytes(of: name) }
        isPaste = arguments[Self.paste]
        timeout = try arguments[Self.timeout]
        conditions = try arguments[WaitOptions.wait]
        printsOutput = arguments[Self.printsOutput]
        outputLimit = try arguments[SessionExecCommand.maxOutput].map { Int($0) }
        guard printsOutput || outputLimit == nil else { throw VTError(.usage, "--max-output requires --print") }
        guard !printsOutput || !conditions.isEmpty else { throw VTError(.usage, "--print requires --wait") }
        guard conditions.isEmpty || conditions.contains(where: { $0.kind != .failMatch }) else {
            throw VTError(
                .usage,
                "fail-match requires another condition",
                hint: "add --wait prompt or --wait match=EXPRESSION"
            )
        }
        guard !items.isEmpty else {
            throw VTError(.usage, "nothing to send", hint: "add TEXT, --stdin, --key or --enter")
        }
    }

    /// Something to send.
    private enum Item: Equatable {
        case text(String)
        case standardInput
        case key(String)
        case enter
    }

    /// Returns what to send in the order given; words without an option between them are one text.
    private static func items(in arguments: ParsedArguments) -> [Item] {
        let words = arguments.operands("TEXT")
        var items: [Item] = []
        var taken = 0
        func takeWords(to end: Int) {
            let text = words[taken..<max(taken, end)].joined(separator: " ")
            taken = max(taken, end)
            if !text.isEmpty { items.append(.text(text)) }
        }
        for option in arguments.occurrences {
            let item: Item? =
                switch option.long {
                case key.long: option.value.map(Item.key)
                case enter.long: .enter
                case stdin.long: .standardInput
                default: nil
                }
            guard let item else { continue }
            // The first operand is the session.
            takeWords(to: option.operandsBefore - 1)
            items.append(item)
        }
        takeWords(to: words.count)
        return items
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let standardInput =
            items.contains(.standardInput)
            ? try await context.console.input.source().contents(limit: Self.inputLimitBytes) : []
        let (reference, timeout, began) = (reference, timeout, ContinuousClock.now)
        return try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            let input = try await input(standardInput, at: client)
            let sent = try await client.send(input, to: reference.session, timeout: timeout)
            guard !conditions.isEmpty else {
                try context.show(Document(offset: sent.offset)) { String(sent.offset) }
                return 0
            }
            let rest = timeout.map { max(.zero, $0 - (ContinuousClock.now - began)) }
            var request = WaitRequest(conditions, from: sent.offset, timeout: rest)
            request.sent = sent.isHidden ? [] : Array(input.bytes.prefix(Self.echoLimitBytes))
            return try await wait(request, at: client, in: context)
        }
    }

    private func wait(
        _ request: WaitRequest,
        at client: SessionClient,
        in context: Context
    ) async throws(VTError) -> ProcessExit {
        var request = request
        request.includesOutput = printsOutput
        let isJSON = context.global.json
        let collected = Mutex<[UInt8]>([])
        let sink: any ByteSink =
            isJSON
            ? CallbackSink { bytes throws(VTError) in collected.withLock { $0 += bytes } } : context.queues.output()
        let printer = ExecPrinter(
            .plain,
            limit: outputLimit ?? (isJSON ? SessionExecCommand.documentLimitBytes : nil),
            isTerminal: false,
            to: sink,
            diagnostics: context.diagnostics,
            reportsProgress: isJSON
        )
        let outcome = try await client.wait(request, of: reference.session, receiver: printer)
        try await printer.finish()
        if isJSON {
            let output = printsOutput ? String(decoding: collected.withLock { $0 }, as: UTF8.self) : nil
            try context.output.jsonLine(WaitDocument(outcome, profile: reference.profile, output: output))
        } else if !printsOutput, conditions.map(\.kind) != [.exit] {
            try context.output.text(outcome.text(isNamed: conditions.count > 1 || outcome.condition == .exit))
        }
        return .status(outcome.status)
    }

    /// The length of the input whose echo is recognized.
    private static let echoLimitBytes = 256 << 10

    /// Returns the input; adjacent texts are one part.
    ///
    /// Keys and pastes are encoded for the modes that the program has set, such as application cursor keys.
    private func input(_ standardInput: [UInt8], at client: SessionClient) async throws(VTError) -> SessionInput {
        let needsModes = isPaste || items.contains { if case .key = $0 { true } else { false } }
        let emulator =
            needsModes ? try await client.screen(of: reference.session, ScreenRequest()).emulator() : nil
        let encoder = emulator.map { KeyEncoder($0) }
        var parts: [SessionInput.Part] = []
        for item in items {
            switch item {
            case .text(let text): parts.append(.text(Array(text.utf8)))
            case .standardInput: parts.append(.text(standardInput))
            case .enter: parts.append(.enter)
            case .key(let name):
                if let encoder { parts.append(.key(try encoder.bytes(of: name))) }
            }
            if case .text(let last)? = parts.last, case .text(let previous)? = parts.dropLast().last {
                parts.replaceSubrange((parts.count - 2)..., with: [.text(previous + last)])
            }
        }
        return SessionInput(parts, isBracketed: isPaste ? emulator?.modes[.bracketedPaste] : nil)
    }

    /// The maximum size of standard input, which is read into memory.
    private static let inputLimitBytes = 64 << 20

    struct Document {
        let offset: UInt64
    }
}

extension SessionSendCommand.Document: JSONDocument {
    static let documentName = "sent input"
    static let documentSummary = "input that was sent"

    static let fields: JSONTable<Self> = [
        .field("offset", \.offset, "end of the output when the input was sent, for use with `--from`", in: .bytes)
    ]
}
