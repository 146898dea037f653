import Arguments
import Core
import Services
import Storage

/// Removes entries from queues: `vt queue drop ID...`.
package enum QueueDropCommand: Command {
    private static let ids = Operand("ID").list(.zeroOrMore)
    private static let all = Option.flag("all", summary: "remove all entries of all sessions")
    private static let session = Option(
        "session",
        ValueKind("SESSION", completion: .session, parse: SessionReference.init(parsing:)),
        excludes: [all],
        summary: "remove all entries of this session"
    )

    package static let spec = CommandSpec(
        ["queue", "drop"],
        summary: "remove entries from queues without delivering them",
        description: [
            "Removes the entries with these IDs, as listed by 'vt queue list', and prints the IDs of the removed "
                + "entries. An entry in the state 'sending' may already have been received."
        ],
        operands: [ids],
        options: [session, all],
        examples: [
            ExampleSpec("vt queue drop 5d0c9a3e7b1f2468", "remove an entry"),
            ExampleSpec("vt queue drop --session web:deploy", "remove all entries of a session"),
        ],
        exitCodes: [.notFound, .busy, .config]
    )

    package static var documents: [DocumentSpec] {
        [.document([QueueEntry].self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        let isMissing = call[ids].isEmpty
        guard isMissing != (call[session] == nil && !call[all]) else {
            throw VTError(
                .usage,
                isMissing ? "missing ID" : "ID cannot be used with --session or --all",
                hint: "use IDs, --session SESSION or --all"
            )
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (ids, session, removesAll) = (call[Self.ids], call[Self.session], call[all])
        let store = try FileQueueStore(context.world)
        var isDamaged = false
        let entries: [QueueEntry]
        if let session {
            entries = try store.entries(of: session.text)
        } else {
            entries = try store.entries { error in
                context.diagnostics.failure(error.message)
                isDamaged = true
            }
        }
        for id in ids where !entries.contains(where: { $0.id == id }) {
            throw VTError(.notFound, "no such queue entry: '\(id)'", hint: "to list the entries, use 'vt queue list'")
        }
        let selected = entries.filter { entry in
            removesAll || entry.session == session?.text || ids.contains(entry.id)
        }
        var removed: [QueueEntry] = []
        for name in Set(selected.map(\.session)).sorted() {
            let lock = try store.lockDelivery(of: name)
            defer { withExtendedLifetime(lock) {} }
            let names = Set(selected.map(\.id))
            removed += try store.update(name) { entries in
                let dropped = entries.filter { names.contains($0.id) }
                entries.removeAll { names.contains($0.id) }
                return dropped
            }
        }
        try context.show(removed) { removed.map(\.id).joined(separator: "\n") }
        return isDamaged && removesAll ? .failure(.config) : 0
    }
}
