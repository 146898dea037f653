import Arguments
import Core
import Services
import Terminal

/// Sends input to a session: `vt sessions send SESSION [TEXT...]`.
package struct SessionSendCommand: Command {
    package static let spec = CommandSpec(
        ["sessions", "send"],
        summary: "send input to a session",
        description: [
            SessionOperand.explanation,
            "Sends TEXT, with its words joined by spaces, then standard input (--stdin), the keys (--key), and Enter "
                + "(--enter). The command returns once the terminal has accepted all input, and prints the offset at "
                + "which the output ended when the input was sent; pass it to 'vt sessions wait --from' to ignore "
                + "earlier output.",
            "In canonical mode, in which input is edited line by line, a terminal truncates lines longer than 4095 "
                + "bytes. Input with a longer line is rejected, and nothing is sent.",
        ],
        operands: [SessionOperand.spec(), OperandSpec("TEXT", .zeroOrMore)],
        options: [
            OptionSpec("stdin", summary: "send standard input, byte for byte until it ends"),
            OptionSpec(
                "stdin-bytes",
                value: ValueSpec("BYTES"),
                isHidden: true,
                summary: "reject standard input unless it has exactly this many bytes",
                details: "Nothing is sent if the input is incomplete."
            ),
            OptionSpec(
                "key",
                value: ValueSpec("KEY"),
                isRepeatable: true,
                summary: "send a key, such as C-c, M-x, S-Tab, Up, F5, PageUp or Escape",
                details: "The modifiers are C- for Control, M- for Alt and S- for Shift. KEY is a character, or Enter, "
                    + "Tab, BTab, Escape, Space, BSpace, Insert, Delete, Up, Down, Left, Right, Home, End, PageUp, "
                    + "PageDown, or F1 to F12. Keys are encoded for the modes that the program has set, such as "
                    + "application cursor keys."
            ),
            OptionSpec("enter", summary: "send Enter after the other input"),
            OptionSpec(
                "timeout",
                value: ValueSpec("DURATION"),
                summary: "time out if the terminal has not accepted all input after this time",
                details: "If the timeout expires, the program receives the input that the terminal has accepted, and "
                    + "the rest is discarded. Without a timeout, vt waits until the program reads the input or ends."
            ),
            OptionSpec("paste", summary: "send the text as a bracketed paste"),
        ],
        examples: [
            ExampleSpec("vt sessions send shell 'make test' --enter", "type a line"),
            ExampleSpec("vt sessions send shell --key C-c", "press Control-C"),
            ExampleSpec(
                "cat script.sql | vt sessions send web:psql --stdin",
                "send a file to a program on a server"
            ),
        ],
        files: FileSpec.ofSessions,
        exitCodes: VTError.Code.ofHolders
    )

    package static var documents: [DocumentSpec] {
        [.document(Document.self)]
    }

    private let reference: SessionReference
    private let text: [UInt8]
    private let readsInput: Bool
    private let inputBytes: Int?
    private let keys: [String]
    private let entersLine: Bool
    private let isPaste: Bool
    private let timeout: Duration?

    package init(_ arguments: ParsedArguments) throws(VTError) {
        reference = try SessionOperand.reference(arguments)
        let words = arguments.operands("TEXT")
        text = Array(words.dropFirst().reduce(words.first ?? "") { "\($0) \($1)" }.utf8)
        inputBytes = try arguments.size("stdin-bytes").map { Int(clamping: $0) }
        readsInput = arguments.flag("stdin") || inputBytes != nil
        keys = arguments.values("key")
        for key in keys { _ = try KeyName.bytes(of: key) }
        entersLine = arguments.flag("enter")
        isPaste = arguments.flag("paste")
        timeout = try arguments.duration("timeout")
        guard !text.isEmpty || readsInput || !keys.isEmpty || entersLine else {
            throw VTError(.usage, "nothing to send", hint: "add TEXT, --stdin, --key or --enter")
        }
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let text = text + (readsInput ? try await read(context.console.input.source()) : [])
        let (reference, timeout) = (reference, timeout)
        let offset = try await SessionOperand.withSite(of: reference, in: context) { site throws(VTError) in
            let input = SessionInput(
                text: text,
                isPaste: isPaste,
                keys: try await keyBytes(at: site),
                entersLine: entersLine
            )
            return try await site.send(input, to: reference.session, timeout: timeout)
        }
        try context.show(Document(offset: offset)) { String(offset) }
        return 0
    }

    /// Returns the bytes of the keys in the modes that the program has set, such as application cursor keys.
    private func keyBytes(at site: any SessionSite) async throws(VTError) -> [[UInt8]] {
        guard !keys.isEmpty else { return [] }
        let encoder = KeyEncoder(try await site.screen(of: reference.session, ScreenRequest()).emulator())
        return try keys.map { key throws(VTError) in try encoder.bytes(of: key) }
    }

    /// The maximum size of standard input, which is read into memory.
    private static let inputLimitBytes = 64 << 20

    private func read(_ source: any ByteSource) async throws(VTError) -> [UInt8] {
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
                "standard input has \(bytes.count) bytes instead of \(inputBytes); nothing was sent"
            )
        }
        return bytes
    }

    struct Document: Encodable {
        let offset: UInt64
    }
}

extension SessionSendCommand.Document: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case offset
    }

    static let documentName = "sent input"
    static let documentSummary = "input that was sent"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .offset:
            JSONField(\Self.offset, "end of the output when the input was sent, for use with `--from`", in: .bytes)
        }
    }
}
