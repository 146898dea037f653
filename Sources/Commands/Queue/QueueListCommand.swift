import Arguments
import Core
import Services
import Storage

/// Lists the entries of queues: `vt queue list [SESSION...]`.
package enum QueueListCommand: Command {
    package static let spec = CommandSpec(
        ["queue", "list"],
        summary: "list the input that waits for sessions",
        description: [
            "Lists the entries of all queues on this machine, or of the queues of the given sessions, in the order of "
                + "delivery. Delivered lines (--line) are listed with the status of their command and, with --json, with "
                + "its output; the last \(FileQueueStore.resultLimit) of each session are kept.",
            SessionOperand.explanation,
            "The state is 'waiting'; 'sending' if a delivery was interrupted, so that the session has to be asked whether it "
                + "has received the entry; 'failed' if the last attempt had no effect; 'expired'; or 'unknown' if the "
                + "session is gone, and it will never be known whether it received the entry.",
        ],
        operands: [SessionOperand.anySessions],
        options: ListOptions<QueueEntry>.options,
        examples: [
            ExampleSpec("vt queue list", "list all entries"),
            ExampleSpec(
                "vt queue list web:deploy --fields id,state,status",
                "print the states of the entries of a session"
            ),
        ],
        exitCodes: [.config]
    )

    package static var documents: [DocumentSpec] {
        [.document([QueueEntry].self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let references = SessionOperand.references(call, SessionOperand.anySessions)
        let store = try FileQueueStore(context.world)
        var isDamaged = false
        var entries: [QueueEntry] = []
        if references.isEmpty {
            entries = try store.entries { error in
                context.diagnostics.failure(error.message)
                isDamaged = true
            }
        } else {
            for reference in references { entries += try store.entries(of: reference.text) }
        }
        try ListOptions<QueueEntry>(call).show(entries, in: context, name: { $0.id }, table: TextTable.init)
        return isDamaged ? .failure(.config) : 0
    }
}

extension TextTable {
    /// A table of the entries of queues.
    init(of entries: [QueueEntry]) {
        self.init(["ID", "SESSION", "STATE", "KIND", "AGE", "TEXT"])
        let now = Timestamp.now()
        for entry in entries {
            let state = entry.state.rawValue + (entry.status.map { " \($0)" } ?? "")
            let text = entry.text ?? "(\(entry.bytes.count) bytes)"
            let age = SessionText.age(of: entry.createdAt, now: now)
            add([entry.id, entry.session, state, entry.kind.rawValue, age, text.trimmingEnd])
        }
    }
}

extension String {
    /// The text without line ends at its end.
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last?.isNewline ?? false { text.removeLast() }
        return text
    }
}
