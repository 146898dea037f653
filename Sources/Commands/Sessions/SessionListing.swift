import Arguments
import Core

/// The sessions of one machine, or the error that prevented listing them.
struct SessionListing: Sendable {
    /// Nil for this machine.
    let profile: String?
    let sessions: Result<[Session], VTError>

    /// Prints the listings of a run.
    ///
    /// If `isWatched` is true, JSON is printed on one line, and text on a terminal replaces the previous listings.
    static func show(_ listings: [SessionListing], isWatched: Bool, in context: Context) throws(VTError) {
        if context.global.json {
            let documents = listings.flatMap(\.documents)
            if isWatched { try context.output.jsonLine(documents) } else { try context.output.json(documents) }
            return
        }
        let text = table(listings).rendered(in: context.output.style)
        // Move the cursor home, and erase the screen (ECMA-48, CUP and ED).
        let isRedrawn = isWatched && context.output.style.columns != nil
        try context.output.text((isRedrawn ? "\u{1b}[H\u{1b}[2J" : "") + text)
    }

    private static func table(_ listings: [SessionListing]) -> TextTable {
        let isRemote = listings.contains { $0.profile != nil }
        let now = Timestamp.now()
        var table = TextTable(
            (isRemote ? ["PROFILE"] : []) + ["NAME", "STATE", "AGE", "SIZE", "OUTPUT", "TAGS", "COMMAND"]
        )
        for listing in listings {
            let machine = isRemote ? [listing.profile ?? ProfileName.local] : []
            switch listing.sessions {
            case .success(let sessions):
                for session in sessions { table.add(machine + row(session, now: now)) }
            case .failure(let error):
                table.add(machine + ["-", error.code.rawValue, "-", "-", "-", "-", error.message])
            }
        }
        return table
    }

    private static func row(_ session: Session, now: Timestamp) -> [String] {
        [
            session.name, SessionText.state(session), SessionText.age(of: session.createdAt, now: now),
            SessionText.size(session), SessionText.bytes(session.outputBytes),
            session.tags.isEmpty ? "-" : session.tags.joined(separator: ","), SessionText.command(session),
        ]
    }

    private var documents: [Document] {
        switch sessions {
        case .success(let sessions): sessions.map { .session(SessionDocument($0, profile: profile)) }
        case .failure(let error):
            [
                .failure(
                    UnlistedMachine(
                        profile: profile ?? ProfileName.local,
                        error: FailureDocument(error, exit: error.code.status)
                    )
                )
            ]
        }
    }

    /// An element of the array printed with `--json`.
    enum Document: JSONValue {
        case session(SessionDocument)
        case failure(UnlistedMachine)

        static var jsonType: JSONType {
            .either([SessionDocument.jsonType, UnlistedMachine.jsonType])
        }

        func write(to writer: inout JSONWriter) {
            switch self {
            case .session(let document): document.write(to: &writer)
            case .failure(let document): document.write(to: &writer)
            }
        }
    }

    /// A machine whose sessions could not be listed.
    struct UnlistedMachine {
        let profile: String
        let error: FailureDocument
    }
}

extension SessionListing.UnlistedMachine: JSONDocument {
    static let documentName = "unlisted machine"
    static let documentSummary = "a machine whose sessions could not be listed"

    static let fields: JSONTable<Self> = [
        .field("profile", \.profile, "server; `local` for this machine"),
        .field("error", \.error, "why the sessions could not be listed"),
    ]
}
