import Arguments
import Core
import Services
import Storage
import System

/// Adds an entry to the queue of a session: `vt queue add SESSION TEXT`.
package enum QueueAddCommand: Command {
    private static let text = Operand("TEXT").list(.zeroOrMore)
    private static let stdin = Option.flag("stdin", summary: "add standard input, byte for byte, instead of TEXT")
    private static let enter = Option.flag("enter", excludes: [line], summary: "press Enter after the text")
    private static let line = Option.flag(
        "line",
        summary: "run the text as a line in the shell of the session, as 'vt sessions exec' does",
        details: "'vt queue list' shows the status and the output of the command."
    ).formerly("exec")
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
            "Adds TEXT, whose words are joined by spaces, to the queue of the session on this machine, and prints the "
                + "ID of the entry. The server is not contacted, and the session need not exist yet; the entry waits until "
                + "'vt queue flush' delivers it. "
                + "The entries of a session are delivered in the order in which they were added, each once.",
            SessionOperand.explanation,
            "The queue of a session has at most \(FileQueueStore.entryLimit) entries, each of at most 64 KiB. If it is "
                + "full, the command fails (busy).",
        ],
        operands: [SessionOperand.session, text],
        options: [stdin, enter, line, lifetime],
        examples: [
            ExampleSpec("vt queue add web:deploy --line make deploy", "run a line as soon as the server is reachable"),
            ExampleSpec("vt queue add web:agent 'continue with the tests' --enter --ttl 8h", "type a line later"),
        ],
        exitCodes: [.dataInvalid, .busy, .config, .cannotCreate]
    )

    package static var documents: [DocumentSpec] {
        [.document(QueueEntry.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        let reference = call[SessionOperand.session]
        // The session need not exist yet, but must be able to.
        if SessionID(reference.session) == nil { _ = try SessionName(reference.session) }
        if let server = reference.profile, case .profile(let name) = try Target(parsing: server) {
            _ = try ProfileName(name)
        }
        let isMissing = call[text].isEmpty
        guard call[stdin] == isMissing else {
            throw VTError(
                .usage,
                isMissing ? "missing TEXT" : "TEXT cannot be used with --stdin",
                hint: isMissing ? "add a text or --stdin" : nil
            )
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (reference, addsEnter, isLine) = (call[SessionOperand.session], call[enter], call[line])
        try SessionOperand.check(reference, in: context)
        var bytes = Array(call[text].joined(separator: " ").utf8)
        if call[stdin] { bytes = try await context.console.input.source().contents(limit: QueueEntry.limitBytes) }
        guard !bytes.isEmpty || addsEnter else {
            throw VTError(.usage, "the text is empty", hint: "to press only Enter, add --enter")
        }
        if !addsEnter, !isLine, call[text].last == "Enter" {
            context.diagnostics.note("'Enter' is added as text; to press Enter, use --enter")
        }
        if addsEnter { bytes.append(UInt8(ascii: "\r")) }
        guard bytes.count <= QueueEntry.limitBytes else {
            throw VTError(.dataInvalid, "the text is longer than \(QueueEntry.limitBytes) bytes")
        }
        guard !isLine || !bytes.contains(0) else { throw VTError(.dataInvalid, "the line contains a NUL byte") }
        let lifetime = call[Self.lifetime] ?? .seconds(3600)
        let entry = QueueEntry(bytes, isLine ? .exec : .input, for: reference.text, lifetime: lifetime)
        try FileQueueStore(context.world).add(entry)
        try context.show(entry) { entry.id }
        return 0
    }
}
