import Arguments
import Core
import POSIX
import Services

/// Types into a session: `vt sessions send SESSION [TEXT...]`.
package struct SessionSendCommand: Command {
    package static let spec = CommandSpec(
        ["sessions", "send"],
        summary: "put input into a session's terminal",
        description: [
            SessionOperand.explanation,
            "Sends TEXT, its words joined with spaces, then standard input if asked for, then the keys, then Enter. It "
                + "succeeds once all bytes are in the terminal, and prints the offset at which the output stood before: "
                + "'vt sessions wait --from' with it never sees what was there earlier.",
            "While the terminal is read line by line, a line beyond 4095 bytes would be cut by the system; such input is "
                + "refused, and nothing of it is sent.",
        ],
        operands: [SessionOperand.spec(), OperandSpec("TEXT", .zeroOrMore)],
        options: [
            OptionSpec("stdin", summary: "send standard input, byte for byte to its end"),
            OptionSpec(
                "stdin-bytes",
                value: ValueSpec("BYTES"),
                summary: "refuse standard input unless it has just so many bytes",
                details: "Nothing is then sent when what feeds it is cut off."
            ),
            OptionSpec(
                "key",
                value: ValueSpec("KEY"),
                isRepeatable: true,
                summary: "send a key: C-c, M-x, S-Tab, Up, F5, PageUp, Escape",
                details: "Modifiers are C- for Control, M- for Alt and S- for Shift. Other names are Enter, Tab, BTab, "
                    + "Space, BSpace, Delete, Insert, Down, Left, Right, Home, End, PageDown and F1 to F12."
            ),
            OptionSpec("enter", summary: "send Enter at the end"),
            OptionSpec(
                "timeout",
                value: ValueSpec("DURATION"),
                summary: "give up when the terminal has not taken all input by then",
                details: "What it has taken stays there, and the rest is dropped. Without it, input for a program that "
                    + "reads nothing waits until that does, or ends."
            ),
            OptionSpec("paste", summary: "send the text as if it were pasted (bracketed paste)"),
        ],
        examples: [
            ExampleSpec("vt sessions send shell 'make test' --enter", "type a line"),
            ExampleSpec("vt sessions send shell --key C-c", "press Control and C"),
            ExampleSpec(
                "cat script.sql | vt sessions send web:psql --stdin",
                "send a file to a program on a server"
            ),
        ],
        exitCodes: SessionOperand.exitCodes + [.dataInvalid, .timedOut]
    )

    private let reference: SessionReference
    private let text: [UInt8]
    private let readsInput: Bool
    private let inputBytes: Int?
    private let keys: [[UInt8]]
    private let entersLine: Bool
    private let isPaste: Bool
    private let timeout: Duration?

    package init(_ arguments: ParsedArguments) throws(VTError) {
        reference = try SessionOperand.reference(arguments)
        text = Array(arguments.operands("TEXT").joined(separator: " ").utf8)
        inputBytes = try arguments.value("stdin-bytes") { text throws(VTError) in
            Int(clamping: try ByteCountText.parse(text))
        }
        readsInput = arguments.flag("stdin") || inputBytes != nil
        keys = try arguments.values("key") { name throws(VTError) in try KeyName.bytes(of: name) }
        entersLine = arguments.flag("enter")
        isPaste = arguments.flag("paste")
        timeout = try arguments.value("timeout") { text throws(VTError) in try Duration(parsing: text) }
        guard !text.isEmpty || readsInput || !keys.isEmpty || entersLine else {
            throw VTError(.usage, "there is nothing to send", hint: "give TEXT, --stdin, --key or --enter")
        }
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let input = SessionInput(
            text: text + (readsInput ? try await standardInput() : []),
            isPaste: isPaste,
            keys: keys,
            entersLine: entersLine
        )
        let (reference, timeout) = (reference, timeout)
        let offset = try await SessionOperand.withSite(of: reference, in: context) { site throws(VTError) in
            try await site.send(input, to: reference.session, timeout: timeout)
        }
        try context.show(["offset": offset]) { String(offset) }
        return 0
    }

    /// More than this is no typing any more.
    private static let inputLimitBytes = 64 << 20

    private func standardInput() async throws(VTError) -> [UInt8] {
        let source = ThreadedInput(StandardStream.input.rawValue)
        var bytes: [UInt8] = []
        while let piece = try await source.read() {
            bytes += piece
            guard bytes.count <= Self.inputLimitBytes else {
                throw VTError(.dataInvalid, "standard input is longer than \(Self.inputLimitBytes) bytes")
            }
        }
        if let inputBytes, bytes.count != inputBytes {
            throw VTError(
                .dataInvalid,
                "standard input has \(bytes.count) bytes where \(inputBytes) were announced; nothing was sent"
            )
        }
        return bytes
    }
}
