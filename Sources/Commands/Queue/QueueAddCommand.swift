import Arguments
import Core
import Services
import Storage
import System

/// Adds an entry to the queue of a session: `vt queue add SESSION TEXT`.
package struct QueueAddCommand: Command {
    private static let stdin = Option.flag("stdin", summary: "add standard input, byte for byte, instead of TEXT")
    private static let enter = Option.flag("enter", excludes: [exec], summary: "press Enter after the text")
    private static let exec = Option.flag(
        "exec",
        summary: "run the text as a line in the shell of the session, as 'vt sessions exec' does",
        details: "'vt queue list' shows the status and the output of the command."
    )
    private static let lifetime = Option(
        "ttl",
        .duration(atLeast: .seconds(1)),
        default: "1h",
        summary: "do not deliver the entry after this time"
    )

    package static let spec = CommandSpec(
        ["queue", "add"],
        summary: "add input to the queue of a session",
        description: [
            SessionOperand.explanation,
            "Adds TEXT, whose words are joined by spaces, to the queue of the session on this machine, and prints the "
                + "ID of the entry. The server is not contacted, and the session need not exist yet; the entry waits until "
                + "'vt queue flush' delivers it. "
                + "The entries of a session are delivered in the order in which they were added, each once.",
            "The queue of a session has at most \(FileQueueStore.entryLimit) entries, each of at most 64 KiB. If it is "
                + "full, the command fails (busy).",
        ],
        operands: [SessionOperand.spec(), OperandSpec("TEXT", .zeroOrMore)],
        options: [stdin, enter, exec, lifetime],
        examples: [
            ExampleSpec("vt queue add web:deploy --exec make deploy", "run a line as soon as the server is reachable"),
            ExampleSpec("vt queue add web:agent 'continue with the tests' --enter --ttl 8h", "type a line later"),
        ],
        files: [.queue],
        exitCodes: [.dataInvalid, .busy, .config, .cannotCreate]
    )

    package static var documents: [DocumentSpec] {
        [.document(QueueEntry.self)]
    }

    private let reference: SessionReference
    private let text: [UInt8]
    private let readsInput: Bool
    private let addsEnter: Bool
    private let isLine: Bool
    private let lifetime: Duration

    package init(_ arguments: ParsedArguments) throws(VTError) {
        reference = try SessionOperand.reference(arguments)
        // The session need not exist yet, but must be able to.
        if SessionID(reference.session) == nil { _ = try SessionName(reference.session) }
        if let server = reference.profile, case .profile(let name) = try Target(parsing: server) {
            _ = try ProfileName(name)
        }
        let words = arguments.operands("TEXT")
        text = Array(words.joined(separator: " ").utf8)
        readsInput = arguments[Self.stdin]
        addsEnter = arguments[Self.enter]
        isLine = arguments[Self.exec]
        lifetime = try arguments[Self.lifetime] ?? .seconds(3600)
        guard readsInput == words.isEmpty else {
            throw VTError(
                .usage,
                words.isEmpty ? "missing TEXT" : "TEXT cannot be used with --stdin",
                hint: words.isEmpty ? "add a text or --stdin" : nil
            )
        }
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        try SessionOperand.check(reference, in: context)
        var bytes = text
        if readsInput { bytes = try await context.console.input.source().contents(limit: QueueEntry.limitBytes) }
        guard !bytes.isEmpty || addsEnter else {
            throw VTError(.usage, "the text is empty", hint: "to press only Enter, add --enter")
        }
        if addsEnter { bytes.append(UInt8(ascii: "\r")) }
        guard bytes.count <= QueueEntry.limitBytes else {
            throw VTError(.dataInvalid, "the text is longer than \(QueueEntry.limitBytes) bytes")
        }
        guard !isLine || !bytes.contains(0) else { throw VTError(.dataInvalid, "the line contains a NUL byte") }
        let entry = QueueEntry(bytes, isLine ? .exec : .input, for: reference.text, lifetime: lifetime)
        try context.queueStore().add(entry)
        try context.show(entry) { entry.id }
        return 0
    }
}
