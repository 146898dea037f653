import Arguments
import Core
import Services
import Storage
import Synchronization

/// Delivers the entries of queues: `vt queue flush [SESSION...]`.
package enum QueueFlushCommand: Command {
    private static let timeout = Option(
        "timeout",
        .duration,
        default: "30s",
        summary: "stop if an entry is not accepted, or its command has not ended, after this time",
        details: "A command that is still running continues, and the next flush waits for its end and gets its result."
    )
    private static let resendUnknown = Option.flag(
        "resend-unknown",
        summary: "resend entries whose delivery is uncertain"
    )

    package static let spec = CommandSpec(
        ["queue", "flush"],
        summary: "deliver the input that waits for sessions",
        description: [
            "Delivers the input that waits for the given sessions, or for all sessions, in order, and prints each "
                + "entry that it has delivered.",
            SessionOperand.explanation,
            "# Failures",
            "An entry that cannot be delivered, for example because the server cannot be reached or the shell is "
                + "busy, stops the queue of its session; the next flush begins with this entry. An entry that has "
                + "waited for longer than its --ttl is reported as expired, and skipped.",
            "# Delivery",
            "Each entry is delivered once, even if vt, the connection or the server's vt is interrupted at any point: "
                + "the session remembers the IDs of the last 256 entries on disk, and an entry whose delivery was "
                + "interrupted is sent again only if the session has not received it. If the session itself is gone "
                + "and may have received the entry, the entry becomes 'unknown' and stops the queue until it is "
                + "dropped or --resend-unknown is given.",
        ],
        operands: [SessionOperand.anySessions],
        options: [timeout, resendUnknown] + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt queue flush", "deliver everything that can be delivered"),
            ExampleSpec("vt queue flush web:deploy --timeout 10m", "give each command ten minutes"),
        ],
        exitCodes: VTError.Code.ofHolders,
        statuses: [
            0: "nothing is left to deliver, and no entry has expired",
            1: "an entry has expired",
        ]
    )

    package static var documents: [DocumentSpec] {
        [.document([QueueEntry].self)]
    }

    /// The maximum number of sessions to deliver to at once.
    private static let parallel = 16

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let store = try FileQueueStore(context.world)
        var isDamaged = false
        let references = SessionOperand.references(call, SessionOperand.anySessions)
        let pending = try Self.pending(references, in: store) { error in
            context.diagnostics.failure(error.message)
            isDamaged = true
        }
        let processed = Mutex<[QueueEntry]>([])
        let isJSON = context.global.json
        let (timeout, resendsUnknown) = (call[Self.timeout] ?? .seconds(30), call[resendUnknown])
        let outcomes = await SessionOperand.forEach(pending, in: context, parallel: parallel) {
            client,
            reference throws(VTError) in
            let delivery = QueueDelivery(store, to: reference, client, timeout: timeout, resendsUnknown: resendsUnknown)
            try await delivery.run { entry throws(VTError) in
                processed.withLock { $0.append(entry) }
                if !isJSON { try show(entry, in: context) }
            }
        }
        let entries = processed.withLock { $0 }
        if isJSON { try context.output.json(entries) }
        try context.check(outcomes, named: pending.map(\.text))
        if isDamaged { return .failure(.config) }
        return entries.contains { $0.state == .expired } ? .failure(.negative) : 0
    }

    /// The sessions with entries to deliver, among the given ones if there are any.
    private static func pending(
        _ references: [SessionReference],
        in store: FileQueueStore,
        reporting report: (VTError) -> Void
    ) throws(VTError) -> [SessionReference] {
        var pending: [SessionReference] = []
        for reference in references where try store.entries(of: reference.text).contains(where: \.isPending) {
            pending.append(reference)
        }
        guard references.isEmpty else { return pending }
        var names: [String] = []
        for entry in try store.entries(reporting: report) where entry.isPending && !names.contains(entry.session) {
            names.append(entry.session)
        }
        return try names.map { name throws(VTError) in try SessionReference(parsing: name) }
    }

    private static func show(_ entry: QueueEntry, in context: Context) throws(VTError) {
        switch entry.state {
        case .delivered:
            let status = entry.status.map { "\t\($0)" } ?? ""
            try context.output.text("\(entry.id)\t\(entry.session.sanitized)\(status)\n")
            if let failure = entry.failure { context.diagnostics.note("\(entry.id): \(failure)") }
        case .expired: context.diagnostics.failure("'\(entry.session)': entry \(entry.id) has expired")
        // The error of the session says why.
        case .waiting, .sending, .failed, .unknown: break
        }
    }
}
